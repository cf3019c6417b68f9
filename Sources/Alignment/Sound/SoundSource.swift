/// One channel of recorded sound that can be read at any place.
///
/// The engine knows nothing of files: whoever calls it says how samples are fetched. Several
/// threads may read at once.
public protocol SoundSource: Sendable {
  /// How many samples there are.
  var frames: Int64 { get }
  /// Nominal samples a second.
  var hertz: Double { get }

  /// `count` samples from `start` on, full scale 1; silence where there are none.
  func samples(at start: Int64, count: Int) throws(SoundReadError) -> [Float]
}

/// Why sound could not be read.
public struct SoundReadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence that names the file and the reason.
  public let description: String

  /// Takes the sentence of whoever failed.
  public init(_ description: String) { self.description = description }
}
