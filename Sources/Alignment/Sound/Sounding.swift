/// What one window says of the delay.
struct Sounding: Sendable {
  /// The window's middle in the other sound.
  let position: Double
  /// By how much the one is ahead there, in samples.
  let delay: Double
  /// How far the peak stands out, in spreads.
  let strength: Double
}
