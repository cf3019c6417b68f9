/// Runs a whole fleet on this machine and judges what it recorded.
public struct DemoStage: Sendable {
  private let options: DemoOptions

  /// Makes the stage for a demo of `options`, whose numbers must lie within their ranges.
  public init(options: DemoOptions) {
    precondition(DemoOptions.hostCounts.contains(options.hosts), "\(options.hosts) hosts")
    precondition(DemoOptions.lengths.contains(options.seconds), "\(options.seconds) s")
    self.options = options
  }

  /// Runs the demo to its end: 0 where all is within budget, 1 where not, 78 where a part of the
  /// program is missing, 130 when interrupted.
  public func run() -> Int32 { 1 }
}
