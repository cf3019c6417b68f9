internal import FoundationEssentials

/// JSON as the daemons write it to one another, and into their state directories.
public enum FleetCoding {
  /// `value` as JSON without line breaks, keys sorted.
  public static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON has no word for what is no number: no figure, however it came about, may end a daemon.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return Array(try encoder.encode(value))
    } catch {
      preconditionFailure("orders, answers and reports are numbers and texts: \(error)")
    }
  }

  /// Nothing where `bytes` are not what they should be: another version's, as a rule.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: some Sequence<UInt8>
  ) -> Value? {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(type, from: Data(bytes))
    } catch {
      return nil
    }
  }
}
