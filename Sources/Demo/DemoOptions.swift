/// What is asked of a demo.
public struct DemoOptions: Hashable, Sendable {
  /// How many hosts may take part.
  public static let hostCounts = 2...12
  /// How long the take may be, in seconds.
  public static let lengths = 2...600

  /// How many daemons to start, within ``hostCounts``.
  public var hosts: Int
  /// The length of the take in whole seconds, within ``lengths``.
  public var seconds: Int
  /// Names the scene, the clocks, the crystals and the places.
  public var seed: UInt64
  /// Keeps the daemons' states and logs, and the scene, and says where.
  public var keepsFiles: Bool
  /// Prints the figures as JSON in place of the table.
  public var json: Bool
  /// Where the take goes, such as `Recordings`; made where it is missing.
  public var output: String

  /// Makes the options of the usual demo: three hosts, ten seconds.
  public init(
    hosts: Int = 3, seconds: Int = 10, seed: UInt64 = 1, keepsFiles: Bool = false,
    json: Bool = false, output: String = "Recordings"
  ) {
    self.hosts = hosts
    self.seconds = seconds
    self.seed = seed
    self.keepsFiles = keepsFiles
    self.json = json
    self.output = output
  }
}
