import PeerCore
import Simulation
import Testing
import Units

extension SimulatedHost {
  /// Uses the node; what it refuses is an issue of the test.
  func attempt(_ body: (inout PeerNode, HostInstant) throws -> [PeerAction]) {
    do { try use(body) } catch { Issue.record(error, "host \(number)") }
  }
}
