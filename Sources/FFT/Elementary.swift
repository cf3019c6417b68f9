internal import CBatchFFT

/// The elementary functions that windows, spectra and probabilities take, which floors without a
/// C library have from here.
public enum Elementary {
  /// The cosine of `x` radians.
  public static func cos(_ x: Double) -> Double { recorder_cos(x) }

  /// The sine of `x` radians.
  public static func sin(_ x: Double) -> Double { recorder_sin(x) }

  /// e to the power `x`.
  public static func exp(_ x: Double) -> Double { recorder_exp(x) }

  /// The natural logarithm of `x`, above 0.
  public static func log(_ x: Double) -> Double { recorder_log(x) }

  /// The complementary error function.
  public static func erfc(_ x: Double) -> Double { recorder_erfc(x) }
}
