import PeerCore
import Simulation
import Units

/// The shared time that one host's map gave, carried on by its oscillator, and how far other hosts
/// came off it.
final class SharedLine {
  let map: ClockMap
  let oscillator: Oscillator
  /// The farthest that a map was off, in nanoseconds.
  private(set) var worst: Int64 = 0
  /// By how much a map was farther off than its bound at most, in nanoseconds; 0: never.
  private(set) var worstExcess: Int64 = 0
  /// Where and when that was, and with what error and bound.
  private(set) var worstPlace = "nowhere"
  /// The greatest bound that was claimed, in nanoseconds.
  private(set) var widest: Int64 = 0
  /// Whether no displayed clock stood still or went back.
  private(set) var isMonotone = true
  private var shown: [Int: SharedInstant] = [:]

  init(map: ClockMap, oscillator: Oscillator) {
    self.map = map
    self.oscillator = oscillator
  }

  func look(at host: SimulatedHost, in world: World) {
    let truth = map.shared(at: oscillator.host(atTrueNanoseconds: world.now.wholeNanoseconds))
    if let own = host.node?.clockMap {
      let error = (own.shared(at: host.clock) - truth).wholeNanoseconds
      let bound = own.boundNanoseconds(at: host.clock)
      worst = max(worst, Int64(error.magnitude))
      widest = max(widest, bound)
      if Int64(error.magnitude) - bound > worstExcess {
        worstExcess = Int64(error.magnitude) - bound
        worstPlace = "host \(host.number) at \(world.now): \(error) ns, bound \(bound) ns"
      }
    }
    host.use { node, now in
      guard let reading = node.now(at: now) else { return [] }
      if let before = shown[host.number], reading <= before { isMonotone = false }
      shown[host.number] = reading
      return []
    }
  }
}
