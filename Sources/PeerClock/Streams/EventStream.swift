/// A sequence of what happens on a clock, for any number of consumers, at the same time or one
/// after another.
///
/// Each `for await` loop is a consumer of its own and gets every element from its beginning on.
/// What happens while nobody listens waits, within a limit, for the next one who does. All loops
/// end when the clock stops.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  private let topic: Topic<Element>

  init(_ topic: Topic<Element>) { self.topic = topic }

  /// Begins to listen at once, so that nothing is missed before the first `next()`.
  public func makeAsyncIterator() -> Iterator { Iterator(base: topic.subscribe()) }

  /// One consumer's place in the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: AsyncStream<Element>.Iterator

    init(base: AsyncStream<Element>) { self.base = base.makeAsyncIterator() }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }
}
