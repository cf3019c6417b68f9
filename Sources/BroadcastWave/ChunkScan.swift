/// A walk over a file's chunks.
struct ChunkScan {
  private let length: UInt64
  private(set) var format: WaveFormat?
  private(set) var audio: (offset: UInt64, size: UInt64)?
  private(set) var bext: Bext?
  private(set) var ixml: String?
  private(set) var assumptions: [String] = []
  private(set) var chunks: [ChunkPlace] = []
  private(set) var isWide = false
  private(set) var toldLength: UInt64?
  /// Whether the audio's size means nothing, so that all bytes to the end are taken for audio.
  private(set) var isOpenEnded = false
  /// Whether a chunk before the audio lacks its pad byte: most programs lose their way there.
  private(set) var lacksPad = false
  /// Where something stands that is no chunk, before any audio was found.
  private(set) var strayOffset: UInt64?
  /// What `fmt ` says where it is none that this reader knows.
  private(set) var unknownFormat: UnknownFormat?
  private var wideSize: UInt64?
  private var points: [UInt32: UInt64] = [:]
  private var labels: [UInt32: String] = [:]
  private var notes: [UInt32: String] = [:]
  private var regions: [UInt32: UInt64] = [:]

  /// The most cues that are kept.
  static let cueLimit = 65_536

  typealias Read = (_ offset: UInt64, _ count: Int) throws(WaveError) -> [UInt8]

  init(length: UInt64) { self.length = length }

  var cues: [CuePoint] {
    points.map {
      CuePoint(frame: $1, text: labels[$0] ?? "", note: notes[$0], frames: regions[$0])
    }
  }

  /// Why there is no format, where there is none.
  var formatError: WaveError { unknownFormat.map { .unknownFormat($0) } ?? .noFormat }

  /// Whether an RF64 file says nowhere how large it is.
  var lacksWideSizes: Bool { isWide && wideSize == nil }

  mutating func run(_ read: Read) throws(WaveError) {
    var head = ByteReader(try read(0, 12))
    guard let form = head.name(), form == "RIFF" || form == "RF64",
      let told = head.integer(UInt32.self), head.name() == "WAVE"
    else { throw .notWave }
    isWide = form == "RF64"
    if told != 0, told != .max { toldLength = UInt64(told) + 8 }
    var offset: UInt64 = 12
    for _ in 0..<WaveReader.chunkLimit where offset + 8 <= length {
      let head = try read(offset, 8)
      var chunk = ByteReader(head)
      guard let name = chunk.name(), let size = chunk.integer(UInt32.self) else { return }
      let body = offset + 8
      noteStray(head, at: offset)
      chunks.append(ChunkPlace(name: name, offset: body, bytes: UInt64(size)))
      if name == "data" {
        guard let size = takeAudio(at: body, size: size) else { return }
        offset = try end(of: name, at: body, size: size, read)
      } else {
        try take(name, at: body, size: UInt64(size), read)
        offset = try end(of: name, at: body, size: UInt64(size), read)
      }
    }
  }

  /// Audio whose chunk header is missing looks like a chunk with an odd name or without an end.
  private mutating func noteStray(_ head: [UInt8], at offset: UInt64) {
    guard audio == nil, strayOffset == nil else { return }
    if let head = ChunkHead(head), head.isKnown || head.fits(in: length - offset - 8) { return }
    strayOffset = offset
  }

  /// Where the next chunk begins: behind a pad byte, which some leave out behind an odd chunk.
  private mutating func end(
    of name: String, at offset: UInt64, size: UInt64, _ read: Read
  ) throws(WaveError) -> UInt64 {
    let plain = offset + size
    guard size % 2 == 1, plain + 8 <= length, try !isChunk(at: plain + 1, read),
      try isChunk(at: plain, read)
    else { return plain + size % 2 }
    if audio == nil { lacksPad = true }
    assumptions.append("the chunk \(name) of \(size) bytes has no pad byte behind it")
    return plain
  }

  private func isChunk(at offset: UInt64, _ read: Read) throws(WaveError) -> Bool {
    guard offset + 8 <= length else { return false }
    return ChunkHead(try read(offset, 8))?.fits(in: length - offset - 8) == true
  }

  /// Notes the audio; returns its size where chunks may follow it.
  private mutating func takeAudio(at offset: UInt64, size: UInt32) -> UInt64? {
    if audio != nil {
      note(second: "data")
      return UInt64(size)
    }
    let rest = length - offset
    let told = size == .max ? wideSize ?? UInt64(size) : UInt64(size)
    let openEnded = size == 0 || size == .max && wideSize == nil || size == 0x7FFF_F000
    if told > rest || (openEnded && rest > 0) {
      audio = (offset, rest)
      isOpenEnded = true
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
      if audio == nil { lacksPad = true }
      assumptions.append("the chunk \(name) of \(size) bytes was passed over")
      return
    }
    let body = try read(offset, Int(size))
    switch name {
    case "ds64": takeWideSizes(body)
    case "fmt ": takeFormat(body)
    case "bext": takeBext(body)
    case "iXML":
      if ixml != nil { note(second: name) }
      ixml = ixml ?? Self.text(of: body)
    case "cue ": takePoints(body)
    default: takeLabels(body)
    }
  }

  private mutating func takeWideSizes(_ body: [UInt8]) {
    var reader = ByteReader(body)
    guard isWide, let file = reader.integer(UInt64.self), let data = reader.integer(UInt64.self)
    else { return }
    wideSize = data
    if file < UInt64.max - 8 { toldLength = file + 8 }
  }

  private mutating func note(second name: String) {
    let words = "there is a second chunk \(name); the first one counts"
    if !assumptions.contains(words) { assumptions.append(words) }
  }

  private mutating func takeFormat(_ body: [UInt8]) {
    guard format == nil else { return note(second: "fmt ") }
    format = FormatChunk.format(of: body)
    if let format {
      assumptions += FormatChunk.faults(of: body, format: format)
    } else {
      unknownFormat = unknownFormat ?? UnknownFormat(body)
    }
  }

  private mutating func takeBext(_ body: [UInt8]) {
    guard bext == nil else { return note(second: "bext") }
    bext = Bext(body: body)
    if bext == nil {
      assumptions.append("the chunk bext of \(body.count) bytes is too short for its fields")
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
      takeLabel(name, content)
    }
  }

  private mutating func takeLabel(_ name: String, _ content: ArraySlice<UInt8>) {
    var label = ByteReader(content)
    guard let id = label.integer(UInt32.self) else { return }
    switch name {
    case "labl": labels[id] = Self.text(of: content.dropFirst(4))
    case "note": notes[id] = Self.text(of: content.dropFirst(4))
    case "ltxt":
      if let frames = label.integer(UInt32.self), frames > 0 { regions[id] = UInt64(frames) }
    default: break
    }
  }

  private static func text(of body: some Collection<UInt8>) -> String {
    // Others write a byte order mark, zeros behind the text, and Latin-1 for all they know.
    let marked =
      body.starts(with: [0xEF, 0xBB, 0xBF]) ? AnySequence(body.dropFirst(3)) : AnySequence(body)
    let bytes = marked.prefix { $0 != 0 }
    let text = String(validating: bytes, as: UTF8.self) ?? ASCII.text(of: bytes)
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }
}
