import Units

extension FormatChunk {
  /// The format that a chunk's body tells, or nothing where it is none that this reader knows.
  static func format(of body: [UInt8]) -> WaveFormat? {
    var reader = ByteReader(body)
    guard let tag = reader.integer(UInt16.self), let channels = reader.integer(UInt16.self),
      let hertz = reader.integer(UInt32.self), reader.take(6) != nil,
      let bits = reader.integer(UInt16.self)
    else { return nil }
    var kind = tag
    if tag == Tag.extensible {
      guard reader.take(8) != nil, let inner = reader.integer(UInt16.self) else { return nil }
      kind = inner
    }
    guard (1...WaveFormat.channelLimit).contains(Int(channels)), hertz >= 1 else { return nil }
    let encoding: SampleEncoding
    switch (kind, bits) {
    case (Tag.integer, 16), (Tag.integer, 24), (Tag.integer, 32):
      encoding = .integer(bits: Int(bits))
    case (Tag.float, 32): encoding = .float32
    default: return nil
    }
    return WaveFormat(
      sampleRate: SampleRate(hertz: Int(hertz)), channels: Int(channels), encoding: encoding)
  }

  /// What a chunk's body says of `format` that cannot be so, in words.
  static func faults(of body: [UInt8], format: WaveFormat) -> [String] {
    var reader = ByteReader(body.dropFirst(8))
    guard let rate = reader.integer(UInt32.self), let frame = reader.integer(UInt16.self) else {
      return []
    }
    var faults: [String] = []
    if Int(frame) != format.bytesPerFrame {
      faults.append("fmt says a frame takes \(frame) bytes; it takes \(format.bytesPerFrame)")
    }
    let wanted = UInt32(clamping: format.sampleRate.hertz * format.bytesPerFrame)
    if rate != wanted {
      faults.append("fmt says a second takes \(rate) bytes; it takes \(wanted)")
    }
    return faults
  }
}
