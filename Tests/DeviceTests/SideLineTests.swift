import FileIO
import Glibc
import Synchronization
import TestLanes
import Testing

@Suite("Calls that may never return are made beside their callers", .live)
struct SideLineTests {
  /// A disk that hangs until it is let go.
  private final class Disk: Sendable {
    private let isHung = Mutex(true)

    func heal() { isHung.withLock { $0 = false } }

    func wait() { while isHung.withLock({ $0 }) { usleep(1000) } }
  }

  @Test("they are made in order, one at a time, and their answers come")
  func order() async {
    let line = SideLine(name: "test")
    let made = Mutex<[Int]>([])
    for number in 1..<SideLine.mostWaiting { line.add { made.withLock { $0.append(number) } } }
    let answer = await line.value(within: .seconds(10)) { made.withLock { $0 } }
    #expect(answer == Array(1..<SideLine.mostWaiting))
    // The thread goes when there is nothing to do, and another comes.
    for number in 0..<200 {
      #expect(await line.value(within: .seconds(10)) { number } == number)
    }
    #expect(line.silence.map { $0 < .seconds(1) } ?? true)
  }

  @Test("a call that hangs keeps nobody longer than he likes, and says for how long it has")
  func hung() async {
    let line = SideLine(name: "test")
    let disk = Disk()
    let begun = ContinuousClock.now
    let answer = await line.value(within: .milliseconds(100)) {
      disk.wait()
      return true
    }
    #expect(answer == nil)
    let waited = begun.duration(to: .now)
    #expect(waited >= .milliseconds(100) && waited < .seconds(5), "\(waited)")
    #expect(line.silence.map { $0 >= .milliseconds(90) && $0 < .seconds(5) } == true)
    // Whoever comes later waits no longer either, and what he gave up is not done any more.
    let isDone = Mutex(false)
    let late: Void? = await line.value(within: .milliseconds(50)) { isDone.withLock { $0 = true } }
    #expect(late == nil)
    disk.heal()
    #expect(await line.value(within: .seconds(10)) { isDone.withLock { $0 } } == false)
    #expect(await line.value(within: .seconds(10)) { 5 } == 5)
  }

  @Test("sixty-four wait, one more is refused; one of the same name takes the other's place")
  func limit() async {
    let line = SideLine(name: "test")
    let disk = Disk()
    let isHung = Mutex(false)
    line.add {
      isHung.withLock { $0 = true }
      disk.wait()
    }
    while !isHung.withLock({ $0 }) { usleep(1000) }
    let made = Mutex<[Int]>([])
    let taken = (0..<SideLine.mostWaiting).map { number in
      line.add("\(number)") { made.withLock { $0.append(number) } }
    }
    #expect(taken.allSatisfy { $0 })
    #expect(!line.add("one more") { made.withLock { $0.append(-1) } })
    #expect(!line.add { made.withLock { $0.append(-2) } })
    let begun = ContinuousClock.now
    #expect(await line.value(within: .seconds(60)) { true } == nil)
    #expect(begun.duration(to: .now) < .seconds(10))
    #expect(line.add("7") { made.withLock { $0.append(700) } })
    disk.heal()
    while await line.value(within: .seconds(10), { true }) == nil { usleep(1000) }
    var expected = Array(0..<SideLine.mostWaiting)
    expected[7] = 700
    #expect(made.withLock { $0 } == expected)
  }
}
