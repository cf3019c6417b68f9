internal import Units

/// A thing of which the parts of a file tell different things.
public struct Disagreement: Hashable, Sendable {
  /// Such as `time_reference`, `scene`, `sample_rate_hz`.
  public let field: String
  /// What each part says: by `bext`, `bext description`, `iXML` or `fmt`.
  public let claims: [String: String]

  /// Compares what parts say; nothing where those that say something agree.
  init?(_ field: String, _ claims: [String: String?]) {
    let said = claims.compactMapValues { $0 }
    guard Set(said.values).count > 1 else { return nil }
    self.field = field
    self.claims = said
  }
}

extension Disagreement {
  /// Everything in which format, bext and iXML contradict each other.
  public static func all(
    format: WaveFormat, bext: Bext?, ixml: IXMLReading?
  ) -> [Disagreement] {
    let words = bext?.namedValues ?? [:]
    let rate = String(format.sampleRate.hertz)
    return [
      Disagreement(
        "time_reference",
        [
          "bext": bext.map { String($0.timeReference) },
          "iXML": ixml?.timeReference.map { String($0) },
          "iXML's copy of bext": ixml?.copiedTimeReference.map { String($0) },
        ]),
      Disagreement("scene", ["bext description": words["SCENE"], "iXML": ixml?.scene.ascii]),
      Disagreement("take", ["bext description": words["TAKE"], "iXML": ixml?.take.ascii]),
      Disagreement("tape", ["bext description": words["TAPE"], "iXML": ixml?.tape.ascii]),
      Disagreement(
        "user_bits",
        // Some write them with a dollar in front, as hexadecimal numbers are.
        [
          "bext description": words["UBITS"].map { String($0.drop { $0 == "$" }) },
          "iXML": ixml?.userBits.ascii,
        ]),
      Disagreement(
        "frame_rate",
        [
          "bext description": bext?.frameRate.map { "\($0.fraction) \($0.flag)" },
          "iXML": ixml?.frameRate.map { "\($0.fraction) \($0.flag)" },
        ]),
      Disagreement(
        "sample_rate_hz",
        [
          "fmt": rate, "bext": bext?.codingValue("F"),
          "iXML": ixml?.fileSampleRate.map { String($0) },
          "iXML's timestamps": ixml?.timestampSampleRate.map { String($0) },
        ]),
      Disagreement(
        "bits",
        [
          "fmt": String(format.encoding.bits), "bext": bext?.codingValue("W"),
          "iXML": ixml?.bitDepth.map { String($0) },
        ]),
      channels(format: format, bext: bext, ixml: ixml),
    ].compactMap(\.self)
  }

  private static func channels(
    format: WaveFormat, bext: Bext?, ixml: IXMLReading?
  ) -> Disagreement? {
    let listed = ixml.flatMap { $0.trackCount ?? ($0.tracks.isEmpty ? nil : $0.tracks.count) }
    let modes = ["mono": "1", "stereo": "2"]
    return Disagreement(
      "channels",
      [
        "fmt": String(format.channels), "iXML": listed.map { String($0) },
        "bext": bext?.codingValue("M").flatMap { modes[$0.lowercased()] },
      ])
  }
}

extension String? {
  /// The text as bext can hold it, so that both can be compared.
  fileprivate var ascii: String? {
    map { String(decoding: ASCII.bytes(of: $0), as: UTF8.self) }
  }
}
