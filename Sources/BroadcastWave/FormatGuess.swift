internal import Units

/// The format of a file that has lost its `fmt ` chunk, by what else the file says.
struct FormatGuess {
  let format: WaveFormat
  /// Where the format comes from, in words.
  let words: String

  /// Reads bext's coding history (EBU R 98), and iXML where that leaves something open.
  ///
  /// - Parameter sample: the first bytes of the audio, which tell floats from integers.
  init?(bext: Bext?, ixml: IXMLReading?, sample: [UInt8]) {
    guard bext?.codingValue("A").map({ $0 == "PCM" }) ?? true else { return nil }
    let hertz = bext?.codingValue("F").flatMap { Int($0) }
    let bits = bext?.codingValue("W").flatMap { Int($0) }
    let modes = ["mono": 1, "stereo": 2, "dual-mono": 2, "joint-stereo": 2]
    let channels = bext?.codingValue("M").flatMap { modes[$0.lowercased()] }
    let listed = ixml.flatMap { $0.trackCount ?? ($0.tracks.isEmpty ? nil : $0.tracks.count) }
    guard let hertz = hertz ?? ixml?.fileSampleRate.flatMap({ Int(exactly: $0) }),
      let bits = bits ?? ixml?.bitDepth.flatMap({ Int(exactly: $0) }),
      let channels = channels ?? listed ?? bext?.trackNames,
      (1...4_000_000).contains(hertz), [16, 24, 32].contains(bits),
      (1...WaveFormat.channelLimit).contains(channels)
    else { return nil }
    let isFloat = bits == 32 && Self.areFloats(sample)
    format = WaveFormat(
      sampleRate: SampleRate(hertz: hertz), channels: channels,
      encoding: isFloat ? .float32 : .integer(bits: bits))
    let source = bext?.codingValue("F") == nil ? "iXML" : "bext's coding history"
    let look = bits == 32 ? ", \(isFloat ? "floats" : "integers") by the look of the samples" : ""
    words =
      "the format is missing; by \(source) it is \(hertz) Hz, \(bits) bits, "
      + "channels: \(channels)\(look)"
  }

  /// Whether `bytes` are floats of audio: zero, or from −200 dB to +24 dB of full scale.
  private static func areFloats(_ bytes: [UInt8]) -> Bool {
    var reader = ByteReader(bytes)
    var (likely, all) = (0, 0)
    while let bits = reader.integer(UInt32.self) {
      let value = Float(bitPattern: bits).magnitude
      if bits == 0 { continue }
      all += 1
      if value == 0 || (1e-10...16).contains(value) { likely += 1 }
    }
    return all > 0 && likely * 10 >= all * 9
  }
}

extension Bext {
  /// The number of tracks that the description names, such as `sTRK1=Boom`.
  fileprivate var trackNames: Int? {
    let count = namedValues.keys.count { $0.hasPrefix("TRK") }
    return count > 0 ? count : nil
  }
}
