internal import Recording
internal import SoundFile
internal import TakeAlignment
internal import Units

/// A take as the commands told of it.
struct RecordedTake {
  let t0: SharedInstant
  let t1: SharedInstant
  /// Where its files are.
  let folder: String
  /// What the hosts said while it rolled: in each round, in the order of the plan.
  let rounds: [[HostReport?]]

  /// All that the take is judged by.
  func evidence(
    plan: StagePlan, aligned: AlignmentReport, coordinator: Int, settledSeconds: Double
  ) throws -> TakeEvidence {
    guard let alignedStart = aligned.startShared else {
      throw DemoError.failed("the alignment's report does not say when the take begins")
    }
    let hosts = try plan.hosts.indices.map { place in
      let label = plan.hosts[place].label
      guard let file = aligned.files.values.first(where: { $0.label == label }) else {
        throw DemoError.failed("the alignment's report has no file of \(label)")
      }
      let reports = rounds.compactMap { $0[place] }
      let beginning = try Self.sound(file.path, limit: StagePlan.rateHertz)
      return HostEvidence(
        readings: reports.compactMap { SyncReading($0.sync) }, cardPpm: reports.last?.cardPpm,
        sharedPpm: file.ppm, rawFrames: beginning.total, rawBeginning: beginning.samples,
        aligned: try Self.sound(file.output, limit: .max).samples,
        alignedStart: alignedStart)
    }
    guard !hosts[coordinator].readings.isEmpty else {
      throw DemoError.failed("the coordinator never told its time while the take rolled")
    }
    return TakeEvidence(
      hosts: hosts, coordinator: coordinator, t0: t0, t1: t1, settledSeconds: settledSeconds)
  }

  /// The first channel of a file, up to `limit` frames of it, and the file's length in frames.
  private static func sound(
    _ path: String, limit: Int
  ) throws -> (samples: [Double], total: Int) {
    var reader = try SoundFileReader(path: path)
    let total = Int(reader.frames.value)
    let channels = reader.channels
    let frames = try reader.read(frames: min(limit, total))
    let samples = stride(from: 0, to: frames.count, by: channels).map { frames[$0] }
    return (samples, total)
  }
}
