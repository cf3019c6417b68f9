import TakeAlignment
import TestLanes
import Testing

@testable import Commands

@Suite("How far aligning has come, in words", .computing)
struct AlignmentSignsTests {
  @Test("speed and what remains are told once they can be, and a step has a line of its own")
  func signs() {
    var signs = AlignmentSigns()
    #expect(signs.sign(of: .reading(file: "a.wav"), atSeconds: 0).step == "reading a.wav")
    let early = signs.sign(of: .comparing(fraction: 0.01, seconds: 600), atSeconds: 1)
    #expect(early == .init(text: "comparing sounds 1 %", step: "comparing sounds"))
    let later = signs.sign(of: .comparing(fraction: 0.25, seconds: 600), atSeconds: 2)
    #expect(later == .init(text: "comparing sounds 25 %, 150 × real time, 3 s left", step: nil))
    let first = signs.sign(of: .rendering(file: "a.wav", fraction: 0, seconds: 7200), atSeconds: 5)
    #expect(first == .init(text: "rendering a.wav 0 %", step: "rendering a.wav"))
    let slow = signs.sign(
      of: .rendering(file: "a.wav", fraction: 0.1, seconds: 7200), atSeconds: 15)
    #expect(slow.text == "rendering a.wav 10 %, 72 × real time, 1 min 30 s left")
    #expect(signs.sign(of: .wrote(path: "x"), atSeconds: 16).step == "wrote x")
    let next = signs.sign(
      of: .rendering(file: "b.wav", fraction: 0.5, seconds: 7200), atSeconds: 55)
    #expect(next.step == "rendering b.wav" && next.text.hasSuffix("50 s left"))
  }
}
