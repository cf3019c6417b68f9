import Recording
import TestLanes
import Testing

@Suite("Channel selection", .computing)
struct ChannelSelectionTests {
  @Test(
    "a number is how many, everything else is which",
    arguments: [
      ("1", ChannelSelection.first(1)), ("64", .first(64)), ("1,3", .these([1, 3])),
      ("3,1", .these([3, 1])), ("2-2", .these([2])), ("1-4,8", .these([1, 2, 3, 4, 8])),
      ("1-64", .these(Array(1...64))), ("1, 3", .these([1, 3])),
    ])
  func reads(text: String, wanted: ChannelSelection) {
    #expect(ChannelSelection(text) == wanted)
  }

  @Test(
    "what is no selection, or goes beyond a card's 64 channels, is refused",
    arguments: [
      "", "0", "65", "-1", "1,", ",1", "1,1", "1-3,2", "4-2", "0-3", "1-65", "65-65", "a", "1-2-3",
      "1.5", "1 3", "1 - 3", " ", "1, ",
    ])
  func refuses(text: String) { #expect(ChannelSelection(text) == nil) }

  @Test("what is recorded of a card")
  func channels() {
    #expect(ChannelSelection.first(2).channels(of: 2) == [1, 2])
    #expect(ChannelSelection.these([5, 2]).channels(of: 6) == [5, 2])
    #expect(ChannelSelection.these([5, 2]).count == 2 && ChannelSelection.first(7).count == 7)
  }
}
