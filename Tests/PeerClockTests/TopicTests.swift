import TestLanes
import Testing

@testable import PeerClock

@Suite("A topic and its consumers", .computing)
struct TopicTests {
  /// Publishing resumes the task that waits, which takes the task's lock; cancelling holds that lock
  /// and ends the stream, which takes the topic's.
  @Test("a consumer is cancelled while something is published: neither waits for the other")
  func cancelledWhilePublishing() async {
    for _ in 0..<2_000 {
      let topic = Topic<Int>(.backlog)
      let consumer = Task {
        var sum = 0
        for await number in EventStream(topic) { sum += number }
        return sum
      }
      let publisher = Task.detached {
        for number in 0..<20 { topic.publish(number) }
      }
      await Task.yield()
      consumer.cancel()
      await publisher.value
      _ = await consumer.value
    }
  }

  @Test("what is published comes to all who listen, in order, and ends with the topic")
  func order() async {
    let topic = Topic<Int>(.backlog)
    topic.publish(0)
    let one = topic.subscribe()
    let two = topic.subscribe()
    for number in 1...100 { topic.publish(number) }
    topic.finish()
    topic.publish(101)
    var first: [Int] = []
    for await number in one { first.append(number) }
    var second: [Int] = []
    for await number in two { second.append(number) }
    #expect(first == Array(0...100))
    #expect(second == Array(1...100))
    #expect(topic.dropped == 0)
  }
}
