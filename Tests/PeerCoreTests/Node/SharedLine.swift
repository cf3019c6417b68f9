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
      worst = max(worst, Int64((own.shared(at: host.clock) - truth).wholeNanoseconds.magnitude))
    }
    host.use { node, now in
      guard let reading = node.now(at: now) else { return [] }
      if let before = shown[host.number], reading <= before { isMonotone = false }
      shown[host.number] = reading
      return []
    }
  }
}
