import Units

/// The broadcast extension of a sound file (EBU Tech 3285): version 1, or 2 where loudness was
/// measured.
///
/// The chunk holds ASCII; other characters become `_` here and stay whole in ``IXML``.
public struct Bext: Hashable, Sendable {
  /// Free text, 256 characters at most.
  public var description: String
  /// Who or what recorded, 32 characters at most.
  public var originator: String
  /// A name of this one recording, 32 characters at most; see ``reference(serial:time:random:)``.
  public var originatorReference: String
  /// When the file begins, in the session's civil time.
  public var originationDate: String
  /// When the file begins, in the session's civil time, to the second.
  public var originationTime: String
  /// Samples from timecode 00:00:00:00 to the file's first frame; see ``TimeReference``.
  public var timeReference: UInt64
  /// One line per generation of the sound, each ended by CR LF; see ``codingLine(for:text:)``.
  public var codingHistory: String
  /// Loudness as measured; what is read of version 2 too.
  public var loudness: BextLoudness? {
    didSet { version = loudness == nil ? 1 : 2 }
  }
  /// The version of the chunk that was read; what is written is 1, or 2 with loudness.
  public private(set) var version: UInt16 = 1
  /// The UMID (SMPTE 330M) that was read, 64 bytes in hexadecimal; nothing where it is zeros.
  public private(set) var umid: String?

  /// The size of the chunk's body before the coding history (EBU Tech 3285, 2.3).
  public static let fixedSize = 602

  /// Room kept for the coding history, as a rule; a longer one makes the chunk grow.
  public static let historyRoom = 256

  /// Makes the chunk of its fields.
  public init(
    description: String, originator: String, originatorReference: String, begins: CivilTime,
    timeReference: UInt64, codingHistory: String
  ) {
    self.description = description
    self.originator = originator
    self.originatorReference = originatorReference
    self.originationDate = begins.dateText
    self.originationTime = begins.timeText
    self.timeReference = timeReference
    self.codingHistory = codingHistory
  }

  /// The chunk's body: 858 bytes unless the coding history is longer than its room.
  public var body: [UInt8] {
    var writer = ByteWriter()
    writer.ascii(description, count: 256)
    writer.ascii(originator, count: 32)
    writer.ascii(originatorReference, count: 32)
    writer.ascii(originationDate, count: 10)
    writer.ascii(originationTime, count: 8)
    writer.integer(timeReference)
    writer.integer(UInt16(loudness == nil ? 1 : 2))
    // UMID, the five loudness figures of version 2, and what is reserved.
    writer.fill(with: 0, count: 64)
    writer.raw(loudness?.bytes ?? [UInt8](repeating: 0, count: BextLoudness.size))
    writer.fill(with: 0, count: 180)
    let history = ASCII.bytes(of: codingHistory)
    writer.ascii(codingHistory, count: max(Self.historyRoom, history.count + history.count % 2))
    return writer.bytes
  }

  /// Reads a chunk's body, or nothing where it is shorter than its fixed part.
  public init?(body: [UInt8]) {
    guard body.count >= Self.fixedSize else { return nil }
    description = ASCII.text(of: body[0..<256])
    originator = ASCII.text(of: body[256..<288])
    originatorReference = ASCII.text(of: body[288..<320])
    originationDate = ASCII.text(of: body[320..<330])
    originationTime = ASCII.text(of: body[330..<338])
    timeReference = body[338..<346].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    codingHistory = ASCII.text(of: body[Self.fixedSize...])
    version = UInt16(body[346]) | UInt16(body[347]) << 8
    loudness = version >= 2 ? BextLoudness(body[412..<422]) : nil
    let umid = body[348..<412]
    let isUsed = version >= 1 && umid.contains { $0 != 0 }
    self.umid = isUsed ? umid.map { ASCII.hexadecimal($0) }.joined() : nil
  }
}

extension Bext {
  /// A unique source identifier of 32 characters (EBU R 99): country, organisation, serial
  /// number (12), time (6) and a random number (9).
  ///
  /// The country is ZZ, which ISO 3166 leaves to its users.
  public static func reference(serial: String, time: CivilTime, random: UInt64) -> String {
    let serial = String(serial.prefix(12))
    let clock = String(time.timeText.filter { $0 != ":" })
    return "ZZREC" + serial + String(repeating: "0", count: 12 - serial.count) + clock
      + ASCII.decimal(random % 1_000_000_000, digits: 9)
  }

  /// A line of coding history, such as `A=PCM,F=48000,W=24,M=mono,T=recorder` and CR LF
  /// (EBU R 98).
  public static func codingLine(for format: WaveFormat, text: String) -> String {
    let mode =
      switch format.channels {
      case 1: "mono"
      case 2: "stereo"
      default: "multitrack"
      }
    let free = String(text.map { $0 == "," || $0.isNewline ? " " : $0 })
    return "A=PCM,F=\(format.sampleRate.hertz),W=\(format.encoding.bits),M=\(mode),T=\(free)\r\n"
  }
}
