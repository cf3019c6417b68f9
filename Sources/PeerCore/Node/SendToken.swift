/// Names one sent datagram, so that the kernel's stamp of it can be given back later.
public struct SendToken: Hashable, Sendable {
  public let value: UInt64

  /// Makes the token `value`; a node makes its own tokens and they mean something to it alone.
  public init(value: UInt64) { self.value = value }
}
