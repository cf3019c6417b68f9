import AcousticScene
import CVirtualCard
import Glibc
import SoundFile
import TestFolders
import TestLanes
import Testing
import Units

/// What `arecord`, which knows nothing of us, captures from a virtual card.
@Suite("The virtual card against its model", .live)
struct VirtualCardTests {
  static let rate = 8_000.0
  static let delaySeconds = 0.003
  static let scene = Scene(seed: 8, seconds: 1, rateHertz: 8_000)
  /// Far faster and less steady than any real crystal, so that two seconds show it.
  static let crystal = CrystalModel(
    origin: TrueInstant(nanoseconds: 0), rateHertz: rate, partsPerMillion: 400,
    wanderPartsPerMillion: 300, wanderPeriodSeconds: 1.3)

  static func configuration(scene path: String) -> String {
    """
    pcm_type.recorder_virtual { lib "\(Child.folder)/libCVirtualCard.so" }
    pcm.microphone {
      type recorder_virtual
      scene "\(path)"
      scene_rate 8000
      origin_ns 0
      rate 8000
      format S24_3LE
      ppm 400
      wander_ppm 300
      wander_period_s 1.3
      delay_ns 3000000
    }

    """
  }

  /// Two seconds of the card's sound.
  static func recording() throws -> [Double] {
    let folder = TestFolder()
    let files = ["scene.f32", "asoundrc", "sound.wav"].map { folder.path + "/" + $0 }
    try write(scene.bytes, to: files[0])
    try write(Array(configuration(scene: files[0]).utf8), to: files[1])
    _ = try Child.output(
      of: [
        "/usr/bin/arecord", "-q", "-D", "microphone", "-f", "S24_3LE", "-r", "8000", "-c", "1",
        "-d", "2", files[2],
      ], environment: ["ALSA_CONFIG_PATH=\(files[1])"])
    var reader = try SoundFileReader(path: files[2])
    return try reader.read(frames: 16_000)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    defer { close(file) }
    guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw Child.Failure(words: "cannot write \(path)")
    }
  }

  static func rawNow() -> TrueInstant {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_RAW, &now)
    return TrueInstant(
      nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  }

  @Test("each frame holds the scene of the instant at which the crystal reaches it")
  func content() throws {
    let earliest = Self.crystal.count(at: Self.rawNow())
    let sound = try Self.recording()
    let latest = Self.crystal.count(at: Self.rawNow()) - Double(sound.count)
    #expect(sound.count == 16_000)
    let meter = ResidualMeter(scene: Self.scene)
    func residual(_ range: Range<Int>, firstTick: Double) -> Residual {
      meter.residual(of: sound, in: range) { frame in
        Self.crystal.seconds(untilCount: firstTick + frame) - Self.delaySeconds
      }
    }
    // The stream began somewhere in between: the sound tells where.
    let guesses = stride(from: earliest.rounded(), through: latest + 480, by: 900)
    let found = guesses.lazy.compactMap { guess in
      residual(0..<400, firstTick: guess).samples.map { guess - $0 }
    }.first
    let first = try #require(found)
    #expect(abs(first - first.rounded()) < 0.02, "the file begins with a whole tick: \(first)")
    #expect(first > earliest && first <= latest + 1)
    // So short that the wander is a line within each, as the meter takes it.
    for start in stride(from: 0, to: 16_000, by: 800) {
      let rest = residual(start..<start + 400, firstTick: first.rounded())
      #expect(abs(try #require(rest.samples)) < 0.02, "at frame \(start)")
      #expect(rest.coherence > 0.9999)
    }
  }
}
