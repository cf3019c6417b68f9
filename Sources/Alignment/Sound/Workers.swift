/// Does independent pieces of work, side by side where the machine can.
///
/// The engine is pure and starts no threads; a shell that has some passes them in.
public protocol Workers: Sendable {
  /// The results of `work` for 0..<`count`, in order.
  func map<Result: Sendable>(_ count: Int, _ work: @Sendable (Int) -> Result) -> [Result]
}

/// Does one piece after another.
public struct OneWorker: Workers {
  /// Makes the worker.
  public init() {}

  public func map<Result: Sendable>(
    _ count: Int, _ work: @Sendable (Int) -> Result
  ) -> [Result] { (0..<count).map(work) }
}

extension Workers {
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
