/// How many channels a device is opened with.
public enum PCMChannels: Hashable, Sendable {
  /// So many and no others.
  case exactly(Int)
  /// As few as the device has, but so many at the least.
  case atLeast(Int)

  /// The most channels that a device is opened with.
  public static let most = 64
}
