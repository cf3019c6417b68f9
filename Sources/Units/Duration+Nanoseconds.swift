extension Duration {
  /// The duration in whole nanoseconds, rounded towards zero; it must lie within ±292 years.
  public var wholeNanoseconds: Int64 {
    let attoseconds = attoseconds
    // Spans of some seconds, nearly all there are, need no division of 128 bits; and no span within
    // the range needs one of more than 128 by 64.
    if let short = Int64(exactly: attoseconds) { return short / 1_000_000_000 }
    let magnitude = attoseconds.magnitude
    let (whole, _) = UInt64(1_000_000_000).dividingFullWidth(
      (UInt64(truncatingIfNeeded: magnitude >> 64), UInt64(truncatingIfNeeded: magnitude)))
    return attoseconds < 0 ? -Int64(whole) : Int64(whole)
  }

  /// The duration in seconds, as near as a `Double` comes.
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
