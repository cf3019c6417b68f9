/// The loudness figures of bext version 2 (EBU Tech 3285, 2.3), in hundredths as they are stored.
///
/// Nothing stands for a figure that was not measured, such as the loudness of silence.
public struct BextLoudness: Hashable, Sendable {
  /// The whole file's loudness (EBU R 128), in hundredths of LUFS.
  public var integrated: Int16?
  /// Its range (EBU Tech 3342), in hundredths of LU.
  public var range: Int16?
  /// The highest true peak, in hundredths of dBTP.
  public var maxTruePeak: Int16?
  /// The loudest 400 ms, in hundredths of LUFS.
  public var maxMomentary: Int16?
  /// The loudest 3 s, in hundredths of LUFS.
  public var maxShortTerm: Int16?

  /// The size of the figures in the chunk, in bytes.
  static let size = 10
  /// What the standard has stand for a figure that is not there.
  static let unknown = Int16.max

  /// Makes figures of LUFS, LU and dBTP; what is not finite counts as not measured.
  public init(
    integrated: Double?, range: Double?, maxTruePeak: Double?, maxMomentary: Double?,
    maxShortTerm: Double?
  ) {
    self.integrated = Self.hundredths(integrated)
    self.range = Self.hundredths(range)
    self.maxTruePeak = Self.hundredths(maxTruePeak)
    self.maxMomentary = Self.hundredths(maxMomentary)
    self.maxShortTerm = Self.hundredths(maxShortTerm)
  }

  /// Reads the figures; any that lies outside what the standard admits is as good as none.
  init(_ field: ArraySlice<UInt8>) {
    var reader = ByteReader(field)
    func take() -> Int16? {
      guard let value = reader.integer(UInt16.self).map(Int16.init(bitPattern:)) else { return nil }
      return (-9999...9999).contains(value) ? value : nil
    }
    integrated = take()
    range = take()
    maxTruePeak = take()
    maxMomentary = take()
    maxShortTerm = take()
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    for figure in [integrated, range, maxTruePeak, maxMomentary, maxShortTerm] {
      writer.integer(figure ?? Self.unknown)
    }
    return writer.bytes
  }

  private static func hundredths(_ value: Double?) -> Int16? {
    guard let value, value.isFinite else { return nil }
    return Int16(max(-9999, min(9999, (value * 100).rounded())))
  }
}
