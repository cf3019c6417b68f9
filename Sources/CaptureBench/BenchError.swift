/// Why nothing could be measured: a sentence.
public struct BenchError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}
