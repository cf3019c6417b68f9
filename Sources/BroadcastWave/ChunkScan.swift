/// A walk over a file's chunks.
struct ChunkScan {
  private let length: UInt64
  private(set) var format: WaveFormat?
  private(set) var audio: (offset: UInt64, size: UInt64)?
  private(set) var bext: Bext?
  private(set) var ixml: String?
  private(set) var assumptions: [String] = []
  private var wideSize: UInt64?
  private var points: [UInt32: UInt64] = [:]
  private var labels: [UInt32: String] = [:]

  /// The most cues that are kept.
  static let cueLimit = 65_536

  typealias Read = (_ offset: UInt64, _ count: Int) throws(WaveError) -> [UInt8]

  init(length: UInt64) { self.length = length }

  var cues: [CuePoint] { points.map { CuePoint(frame: $1, text: labels[$0] ?? "") } }

  mutating func run(_ read: Read) throws(WaveError) {
    var head = ByteReader(try read(0, 12))
    guard let form = head.name(), form == "RIFF" || form == "RF64", head.take(4) != nil,
      head.name() == "WAVE"
    else { throw .notWave }
    var offset: UInt64 = 12
    for _ in 0..<WaveReader.chunkLimit where offset + 8 <= length {
      var chunk = ByteReader(try read(offset, 8))
      guard let name = chunk.name(), let size = chunk.integer(UInt32.self) else { return }
      let body = offset + 8
      if name == "data" {
        guard let size = takeAudio(at: body, size: size) else { return }
        offset = body + size + size % 2
      } else {
        try take(name, at: body, size: UInt64(size), read)
        offset = body + UInt64(size) + UInt64(size % 2)
      }
    }
  }

  /// Notes the audio; returns its size where chunks may follow it.
  private mutating func takeAudio(at offset: UInt64, size: UInt32) -> UInt64? {
    if audio != nil { return UInt64(size) }
    let rest = length - offset
    let told = size == .max ? wideSize ?? UInt64(size) : UInt64(size)
    let openEnded = size == 0 || size == .max && wideSize == nil || size == 0x7FFF_F000
    if told > rest || (openEnded && rest > 0) {
      audio = (offset, rest)
      assumptions.append("the audio's size says \(told) bytes; taken to the end, \(rest) bytes")
      return nil
    }
    audio = (offset, told)
    return told
  }

  private mutating func take(
    _ name: String, at offset: UInt64, size: UInt64, _ read: Read
  ) throws(WaveError) {
    guard ["ds64", "fmt ", "bext", "iXML", "cue ", "LIST"].contains(name) else { return }
    guard size <= WaveReader.metadataLimit, offset + size <= length else {
      assumptions.append("the chunk \(name) of \(size) bytes was passed over")
      return
    }
    let body = try read(offset, Int(size))
    switch name {
    case "ds64": wideSize = body.count >= 16 ? ByteReader(body[8..<16]).first64 : nil
    case "fmt ": format = format ?? FormatChunk.format(of: body)
    case "bext": bext = bext ?? Bext(body: body)
    case "iXML": ixml = ixml ?? Self.text(of: body)
    case "cue ": takePoints(body)
    default: takeLabels(body)
    }
  }

  private mutating func takePoints(_ body: [UInt8]) {
    var reader = ByteReader(body)
    guard let count = reader.integer(UInt32.self) else { return }
    for _ in 0..<min(Int(count), Self.cueLimit) {
      guard let id = reader.integer(UInt32.self), reader.take(16) != nil,
        let frame = reader.integer(UInt32.self)
      else { return }
      points[id] = UInt64(frame)
    }
  }

  private mutating func takeLabels(_ body: [UInt8]) {
    var reader = ByteReader(body)
    guard reader.name() == "adtl" else { return }
    while let name = reader.name(), let size = reader.integer(UInt32.self),
      let content = reader.take(Int(size)), labels.count < Self.cueLimit
    {
      _ = reader.take(Int(size % 2))
      var label = ByteReader(content)
      guard name == "labl", let id = label.integer(UInt32.self) else { continue }
      labels[id] = Self.text(of: content.dropFirst(4))
    }
  }

  private static func text(of body: some Collection<UInt8>) -> String {
    let text = String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }
}

extension ByteReader {
  /// The first eight bytes as a number.
  fileprivate var first64: UInt64? {
    var copy = self
    return copy.integer(UInt64.self)
  }
}
