import TestLanes
import Testing

@testable import PeerCore

@Suite("A status board in pages", .computing)
struct StatusPagesTests {
  static func entries(_ count: Int, value: Int, from first: UInt64 = 1) -> [StatusMessage.Entry] {
    (0..<count).map {
      StatusMessage.Entry(
        key: "key \($0)", generation: first + UInt64($0),
        value: [UInt8](repeating: 1, count: value))
    }
  }

  @Test("of nothing is one empty page")
  func empty() {
    let pages = StatusMessage.pages(generation: 5, entries: [])
    #expect(pages == [StatusMessage(generation: 5, entries: [])])
  }

  @Test("of few entries is one page, with the oldest change first")
  func few() {
    let entries = Self.entries(3, value: 2)
    let pages = StatusMessage.pages(generation: 5, entries: entries.reversed())
    #expect(pages == [StatusMessage(generation: 5, entries: entries)])
  }

  @Test("of the fullest board: every page fits a frame, and nothing is lost")
  func fullest() {
    let key = String(repeating: "k", count: StatusMessage.longestKey - 2)
    let entries = (0..<StatusMessage.mostKeys).map {
      StatusMessage.Entry(
        key: "\(10 + $0)" + key, generation: UInt64($0 + 1),
        value: [UInt8](repeating: 1, count: StatusMessage.longestValue))
    }
    let pages = StatusMessage.pages(generation: 64, entries: entries)
    #expect(pages.flatMap(\.entries) == entries)
    #expect(pages.count == 22)
    for page in pages {
      let length = Message.status(page).payload.count + FrameCodec.overhead
      #expect(length <= FrameCodec.longestFrame)
    }
  }

  @Test("holds 64 keys a page")
  func keys() {
    let counts = [64, 65, 128, 129].map { count in
      StatusMessage.pages(generation: 200, entries: Self.entries(count, value: 0)).count
    }
    #expect(counts == [1, 2, 2, 3])
  }

  @Test("a receiver of some pages asks on from there and misses nothing", arguments: [1, 3])
  func interrupted(changesAtOnce: UInt64) {
    let all = Self.entries(10, value: 16_000).map {
      StatusMessage.Entry(
        key: $0.key, generation: ($0.generation - 1) / changesAtOnce + 1, value: $0.value)
    }
    let pages = StatusMessage.pages(generation: 99, entries: all)
    #expect(pages.count > 2)
    for arrived in 1...pages.count {
      let got = Set(pages.prefix(arrived).flatMap(\.entries).map(\.key))
      let known = pages[arrived - 1].generation
      let asked = Set(all.filter { $0.generation > known }.map(\.key))
      #expect(got.union(asked) == Set(all.map(\.key)), "after \(arrived) pages")
    }
  }
}
