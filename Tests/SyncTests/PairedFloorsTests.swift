import TestLanes
import Testing
import Units

@testable import PeerCore

@Suite("Pairs of a loaded direction and a free one", .computing)
struct PairedFloorsTests {
  /// A radio: one of twenty packets of a loaded direction comes near its floor.
  private static let loaded = SimulatedPath.Shape(
    floorAhead: 800_000, floorBack: 800_000, jitterAhead: 70_000, jitterBack: 10_000,
    busyShareAhead: 0.95, busyShareBack: 0.3, busyAhead: 5_000_000, busyBack: 500_000)

  @Test(
    "load in one direction: 4 us in the median, 25 at the 99th percentile, whichever direction it is",
    arguments: [false, true])
  func load(isBack: Bool) {
    var shape = Self.loaded
    if isBack {
      swap(&shape.jitterAhead, &shape.jitterBack)
      swap(&shape.busyShareAhead, &shape.busyShareBack)
      swap(&shape.busyAhead, &shape.busyBack)
    }
    let readings = (UInt64(1)...8).flatMap { BoundTests.measure(shape, seed: $0) }
    let errors = readings.map(\.error).sorted()
    #expect(errors[errors.count / 2] < 4_000)
    #expect(errors[errors.count * 99 / 100] < 25_000)
    #expect(readings.count { $0.error <= $0.bound } * 100 >= 99 * readings.count)
  }

  private func floor(_ points: [(seconds: Int64, value: Double)]) -> DelayFloor {
    var floor = DelayFloor()
    for point in points {
      floor.insert(.init(at: point.seconds * 1_000_000_000, value: point.value))
    }
    return floor
  }

  @Test("a pair ages by the distance of its two, not by that from now")
  func distance() {
    // The clocks part by 100 us in a way that no line shows; the free direction sees it all.
    let sharp = floor((0...100).map { ($0, 1_000 + 1_000 * Double($0)) })
    let blunt = floor((0...10).map { ($0 * 10, 9_000 - 10_000 * Double($0)) })
    let pairs = PairedFloors(
      blunt: blunt, sharp: sharp, slope: 0, ageing: 1e-6, from: 100_000_000_000)
    #expect(pairs.roundTrip == 10_000)
  }

  @Test("a hit between two of the other direction counts with the nearer, aged")
  func between() {
    let sharp = floor([(0, 500), (10, 100)])
    let blunt = floor([(8, 50)])
    let pairs = PairedFloors(
      blunt: blunt, sharp: sharp, slope: 0, ageing: 1e-8, from: 10_000_000_000)
    #expect(abs(pairs.roundTrip - 170) < 1e-6)
  }

  @Test("alike directions are not paired, nor are those of a wire")
  func weight() {
    func density(_ gap: Double) -> FloorDensity {
      FloorDensity(
        lowest: (0..<10).map { .init(x: 0, height: gap * Double($0)) }, roundTrip: 0, other: [])
    }
    #expect(PairedFloors.weight(of: density(4_000), and: density(3_000)) == 0)
    #expect(PairedFloors.weight(of: density(400), and: density(20)) == 0)
    #expect(PairedFloors.weight(of: density(5_000), and: density(2_000)) == 0.5)
    #expect(PairedFloors.weight(of: density(2_000), and: density(9_000)) == 1)
  }
}
