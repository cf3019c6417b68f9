/// Hann's window: a raised cosine, whose halves overlapped by half add up to 1.
public enum HannWindow {
  /// The periodic window of `count` samples.
  public static func samples(_ count: Int) -> [Float] {
    (0..<count).map { place in
      Float(0.5 - 0.5 * Elementary.cos(2 * .pi * Double(place) / Double(count)))
    }
  }
}
