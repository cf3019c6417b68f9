import AcousticScene
import Glibc
import HostClock
import TestFolders
import Units

/// A virtual card of a test, and the truth about it.
struct VirtualCard {
  /// What the card hears: two tones whose phases together tell the true time within a second.
  static let tones = [50.0, 53.0]

  let name: String
  var format = "S32_LE"
  var rate = 48_000
  var channels = 1
  var partsPerMillion = 0.0
  var delayNanoseconds: Int64 = 0
  /// How much longer sound takes to each further channel.
  var channelDelayNanoseconds: Int64 = 0
  var isBusy = false
  var bufferFrames = 96_000
  /// How the pointer moves, and how late that shows at most.
  var stepFrames = 1
  var latenessMicroseconds = 0
  /// Whether the card raises an overrun by itself.
  var stopsAtOverrun = false
  var wanderPartsPerMillion = 0.0
  var significantBits = 0
  /// Which of its packets are how late.
  var seed: UInt64 = 0
  let origin: TrueInstant

  /// A card whose crystal began three seconds ago.
  init(_ name: String) {
    self.name = name
    origin = TrueInstant(nanoseconds: HostClock().now().nanoseconds - 3_000_000_000)
  }

  var crystal: CrystalModel {
    CrystalModel(
      origin: origin, rateHertz: Double(rate), partsPerMillion: partsPerMillion,
      wanderPartsPerMillion: wanderPartsPerMillion)
  }

  /// Makes `cards` the only ones that there are in this process.
  ///
  /// ALSA reads its configuration anew at the next open, so tests that do this run one by one.
  static func install(_ cards: [VirtualCard], in workspace: TestFolder) {
    var scene: [UInt8] = []
    for sample in 0..<48_000 {
      let value = tones.reduce(0.0) {
        $0 + 0.4 * sin(2 * Double.pi * $1 * Double(sample) / 48_000)
      }
      withUnsafeBytes(of: Float(value).bitPattern.littleEndian) { scene += $0 }
    }
    workspace.write(scene, to: "scene.f32")
    var text = "pcm_type.recorder_virtual { lib \"\(library)\" }\npcm.nothing { type null }\n"
    for card in cards {
      text += """
        pcm.\(card.name) {
          type recorder_virtual
          scene "\(workspace.path)/scene.f32"
          origin_ns \(card.origin.nanoseconds)
          rate \(card.rate)
          channels \(card.channels)
          format \(card.format)
          ppm \(card.partsPerMillion)
          delay_ns \(card.delayNanoseconds)
          channel_delay_ns \(card.channelDelayNanoseconds)
          buffer_frames \(card.bufferFrames)
          busy \(card.isBusy ? 1 : 0)
          step_frames \(card.stepFrames)
          lateness_us \(card.latenessMicroseconds)
          stops_at_overrun \(card.stopsAtOverrun ? 1 : 0)
          wander_ppm \(card.wanderPartsPerMillion)
          seed \(card.seed)
          significant_bits \(card.significantBits)
          control "\(workspace.path)/\(card.name).control"
          truth "\(workspace.path)/\(card.name).truth"
        }

        """
    }
    workspace.write(Array(text.utf8), to: "asoundrc")
    setenv("ALSA_CONFIG_PATH", workspace.path + "/asoundrc", 1)
  }

  /// Tells the card to do something wrong, at once or at a count of its crystal.
  func order(_ words: String, at tick: Int64? = nil, in workspace: TestFolder) {
    let line = (tick.map { "@\($0) " } ?? "") + words + "\n"
    let file = open(workspace.path + "/\(name).control", O_WRONLY | O_APPEND | O_CREAT, 0o644)
    precondition(file >= 0, "a test's own folder can be written")
    let written = write(file, line, line.utf8.count)
    precondition(written == line.utf8.count, "an order is written whole")
    close(file)
  }

  /// What the card hears in `channel` at a count of its crystal.
  func sound(at tick: Int64, channel: Int = 0) -> Double {
    let delay = delayNanoseconds + Int64(channel) * channelDelayNanoseconds
    let t = crystal.seconds(untilCount: Double(tick)) - Double(delay) * 1e-9
    return Self.tones.reduce(0) { $0 + 0.4 * sin(2 * Double.pi * $1 * t) }
  }

  /// What the card says happened to it.
  func truth(in workspace: TestFolder) throws -> TruthLog {
    try TruthLog(workspace.text(of: "\(name).truth"))
  }

  /// The card's library lies beside the test program.
  private static var library: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let program = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
    let beside = [program, CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""]
    for path in beside {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      let library = folder.joined(separator: "/") + "/libCVirtualCard.so"
      if access(library, R_OK) == 0 { return library }
    }
    return "libCVirtualCard.so"
  }

  /// How far the first of `samples` was taken from `expected`, in seconds, by the sound itself.
  ///
  /// Needs one second of frames. Right within ±half a second, to some nanoseconds.
  func secondsOff(_ samples: [Double], expected: TrueInstant) -> Double {
    let spacing = 1 / (48_000 * (1 + partsPerMillion * 1e-6))
    let heard = expected.seconds(since: origin) - Double(delayNanoseconds) * 1e-9
    var offsets: [Double] = []
    for tone in Self.tones {
      var (real, imaginary) = (0.0, 0.0)
      for (place, sample) in samples.prefix(48_000).enumerated() {
        let phase = 2 * Double.pi * tone * (heard + Double(place) * spacing)
        real += sample * sin(phase)
        imaginary += sample * cos(phase)
      }
      offsets.append(atan2(imaginary, real) / (2 * Double.pi * tone))
    }
    // The same offset by both tones, each known but for whole turns.
    var best = (offset: offsets[0], distance: Double.infinity)
    for turn in -25...25 {
      let candidate = offsets[0] + Double(turn) / Self.tones[0]
      let turns = ((candidate - offsets[1]) * Self.tones[1])
      let distance = abs(turns - turns.rounded())
      if distance < best.distance - 1e-6 { best = (candidate, distance) }
    }
    return best.offset
  }
}
