/// Numbers as text without Foundation.
enum Decimals {
  /// `value` with `places` digits behind the point, 0 to 9.
  static func text(_ value: Double, places: Int) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "–" }
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int64((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "−" : ""
    let whole = scaled / Int64(scale)
    guard places > 0 else { return "\(sign)\(whole)" }
    return "\(sign)\(whole).\(padded(Int(scaled % Int64(scale)), width: places))"
  }

  /// `number` with zeros in front up to `width` digits.
  static func padded(_ number: Int, width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Nanoseconds in the unit that reads best, such as `38 us` or `0.8 ms`.
  static func time(nanoseconds: Int64) -> String {
    let size = abs(Double(nanoseconds))
    let sign = nanoseconds < 0 ? "−" : ""
    if size < 999.5 { return "\(sign)\(Int(size)) ns" }
    if size < 9_950 { return "\(sign)\(text(size / 1e3, places: 1)) us" }
    if size < 999_500 { return "\(sign)\(text(size / 1e3, places: 0)) us" }
    if size < 9_950_000 { return "\(sign)\(text(size / 1e6, places: 1)) ms" }
    if size < 999_500_000 { return "\(sign)\(text(size / 1e6, places: 0)) ms" }
    return "\(sign)\(text(size / 1e9, places: 1)) s"
  }

  /// Bytes in the unit that reads best, such as `12.4 GB`.
  static func bytes(_ count: Int64) -> String {
    let size = Double(max(0, count))
    if size < 999_500 { return "\(text(size / 1e3, places: 0)) kB" }
    if size < 999_500_000 { return "\(text(size / 1e6, places: 0)) MB" }
    if size < 99_950_000_000 { return "\(text(size / 1e9, places: 1)) GB" }
    return "\(text(size / 1e9, places: 0)) GB"
  }
}
