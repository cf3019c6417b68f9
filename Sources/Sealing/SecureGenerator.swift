internal import CSodium

/// A generator fit for nonces and challenges, whose sequence follows from its 32-byte seed.
///
/// ChaCha20's stream through libsodium's deterministic source; each block of it gives the key of
/// the next and each number is wiped as it is drawn, so that no state tells what came before it.
/// The shell seeds it from the kernel.
public struct SecureGenerator: RandomNumberGenerator, Sendable, CustomReflectable {
  private static let blockLength = 512

  private var seed: [UInt8]
  private var block: [UInt8] = []
  private var used = 0

  /// Makes the generator that `seed`, 32 bytes, names.
  public init(seed: [UInt8]) {
    precondition(seed.count == SecretKey.length, "a seed has 32 bytes, not \(seed.count)")
    Library.prepare()
    self.seed = seed
  }

  /// Makes a generator of a small seed: for simulation, where sequences are to be repeated.
  public init(simulationSeed: UInt64) {
    let eight = (0..<8).map { UInt8(truncatingIfNeeded: simulationSeed >> (8 * $0)) }
    self.init(seed: Array((0..<4).map { _ in eight }.joined()))
  }

  public var customMirror: Mirror { Mirror(self, children: []) }

  public mutating func next() -> UInt64 {
    bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The next `count` bytes of the sequence, up to 480.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    precondition(count <= Self.blockLength - SecretKey.length, "a draw is of 480 bytes at most")
    if block.isEmpty || used + count > block.count { refill() }
    let drawn = Array(block[used..<used + count])
    wipe(used..<used + count)
    used += count
    return drawn
  }

  private mutating func refill() {
    block = [UInt8](repeating: 0, count: Self.blockLength)
    unsafe randombytes_buf_deterministic(&block, block.count, seed)
    seed = Array(block.prefix(SecretKey.length))
    wipe(0..<SecretKey.length)
    used = SecretKey.length
  }

  private mutating func wipe(_ range: Range<Int>) {
    for place in range { block[place] = 0 }
  }
}
