import AcousticScene
import Demo
import TestLanes
import Testing
import Units

@Suite("The judge of a take", .computing)
struct TakeJudgeTests {
  static let clean = PlantedTake()

  private static func failures(in figures: Figures) -> Set<String> {
    Set(figures.verdicts.filter { !$0.isWithin }.map { "\($0.what) \($0.host ?? "")" })
  }

  @Test("a perfect take is within every budget, by far")
  func perfect() {
    let figures = Self.clean.figures()
    #expect(Self.failures(in: figures) == [])
    #expect(figures.coordinator == "rec-b")
    for verdict in figures.verdicts where verdict.unit == "samples" {
      // A first sample and a length are whole; the cubic ear itself is off by hundredths.
      #expect((verdict.measured ?? 9).magnitude <= 1, "\(verdict)")
    }
    for host in figures.hosts {
      #expect(host.residuals.count == PlantedTake.seconds)
      #expect(host.residuals.allSatisfy { ($0.samples ?? 9).magnitude < 0.05 })
    }
  }

  @Test("five samples of shift in one aligned file are found, in it and in its pairs")
  func shifted() {
    var take = Self.clean
    take.evidence.hosts[2].aligned =
      [0, 0, 0, 0, 0] + take.evidence.hosts[2].aligned.dropLast(5)
    let figures = take.figures()
    #expect(
      Self.failures(in: figures) == [
        "residual of the sound rec-c", "residual between rec-a/rec-c",
        "residual between rec-b/rec-c",
      ])
    for residual in figures.hosts[2].residuals {
      #expect(abs((residual.samples ?? 0) - 5) < 0.1)
    }
  }

  @Test("a shift in one second alone is found too")
  func shiftedInOneSecond() {
    var take = Self.clean
    take.evidence.hosts[0].aligned.removeSubrange(8_100..<8_105)
    take.evidence.hosts[0].aligned.insert(contentsOf: [0, 0, 0, 0, 0], at: 15_900)
    #expect(!take.figures().isWithinBudget)
  }

  @Test("a host that takes its own clock for shared time is found out")
  func identityMap() {
    var take = Self.clean
    let host = take.plan.hosts[0]
    let zero = HostInstant(nanoseconds: 0)
    let identity = SharedTruth(
      coordinator: host.clock,
      anchor: SyncReading(host: zero, shared: SharedInstant(nanoseconds: 0)))
    let truth = SharedTruth(
      coordinator: take.plan.hosts[1].clock, anchor: take.evidence.hosts[1].readings[0])
    take.evidence.hosts[0] = PlantedTake.evidence(
      of: host, truth: truth, belief: identity, scene: take.scene, t0: take.evidence.t0,
      t1: take.evidence.t1)
    let failures = Self.failures(in: take.figures())
    #expect(failures.contains("sync error rec-a"))
    #expect(failures.contains("residual of the sound rec-a"))
    #expect(failures.contains("first sample from T0 rec-a"))
  }

  @Test("two files swapped are found out")
  func swapped() {
    var take = Self.clean
    let first = take.evidence.hosts[0].aligned
    take.evidence.hosts[0].aligned = take.evidence.hosts[1].aligned
    take.evidence.hosts[1].aligned = first
    let failures = Self.failures(in: take.figures())
    #expect(failures.contains("residual of the sound rec-a"))
    #expect(failures.contains("residual of the sound rec-b"))
    #expect(!failures.contains("residual of the sound rec-c"))
  }

  @Test("a late cut, a lost frame, a wrong rate and a rate unknown each break one budget")
  func others() {
    var take = Self.clean
    take.evidence.hosts[1].rawBeginning.removeFirst(2)
    take.evidence.hosts[0].rawFrames -= 2
    take.evidence.hosts[2].sharedPpm = nil
    take.evidence.hosts[2].cardPpm? += 2.5
    #expect(
      Self.failures(in: take.figures()) == [
        "first sample from T0 rec-b", "length of the raw file rec-a",
        "rate by the host's clock rec-c", "rate in shared time rec-c",
      ])
  }

  @Test("a short aligned file is found, and 21 us of error in shared time where 19 pass")
  func lengthAndSync() {
    var take = Self.clean
    take.evidence.hosts[2].aligned.removeLast(2)
    for (host, error) in [(0, Int64(19_000)), (2, 21_000)] {
      take.evidence.hosts[host].readings = Self.clean.evidence.hosts[host].readings.map {
        SyncReading(host: $0.host, shared: $0.shared + .nanoseconds(error))
      }
    }
    #expect(
      Self.failures(in: take.figures()) == [
        "lengths of aligned files ", "aligned length from T0 to T1 ", "sync error rec-c",
      ])
  }
}
