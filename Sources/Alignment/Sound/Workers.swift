/// Does independent pieces of work, side by side where the machine can.
///
/// The engine is pure and starts no threads; a shell that has some passes them in.
public protocol Workers: Sendable {
  /// How many pieces are done at once.
  var width: Int { get }

  /// The results of `work` for 0..<`count`, in order.
  func map<Result: Sendable>(_ count: Int, _ work: @Sendable (Int) -> Result) -> [Result]
}

/// Does one piece after another.
public struct OneWorker: Workers {
  /// Makes the worker.
  public init() {}

  public var width: Int { 1 }

  public func map<Result: Sendable>(
    _ count: Int, _ work: @Sendable (Int) -> Result
  ) -> [Result] { (0..<count).map(work) }
}

extension Workers {
  /// Into how many pieces `count` things are best parted: two for each that are done at once, so
  /// that none waits for long, but not less than `least` things in a piece.
  func pieces(of count: Int, least: Int) -> Int {
    let wanted = 2 * width
    let most = count / least
    return max(1, most >= wanted ? wanted : most >= width ? width : most)
  }

  /// The results of work that may fail; the first failure ends it.
  func tryMap<Value: Sendable>(
    _ count: Int, _ work: @Sendable (Int) throws(SoundReadError) -> Value
  ) throws(SoundReadError) -> [Value] {
    let results: [Result<Value, SoundReadError>] = map(count) { place in
      do throws(SoundReadError) { return .success(try work(place)) } catch {
        return .failure(error)
      }
    }
    var values: [Value] = []
    values.reserveCapacity(count)
    for result in results { values.append(try result.get()) }
    return values
  }
}
