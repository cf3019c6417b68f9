/// Why a clock could not do what was asked: each description is a sentence for its user.
public enum PeerClockError: Error, Hashable, Sendable {
  /// The clock was not started yet.
  case notStarted
  /// The clock was stopped; a new one has to be made.
  case stopped
  /// The configuration cannot be used.
  case configuration(reason: String)
  /// The state directory cannot be used.
  case stateDirectory(path: String, reason: String)
  /// Another program uses the state directory.
  case stateDirectoryInUse(path: String)
  /// The file in the state directory is of a later version, or damaged.
  case stateUnreadable(path: String, reason: String)
  /// A port is in use by another program.
  case portInUse(subject: String)
  /// The network refused something.
  case network(reason: String)
  /// This host has no such interface.
  case noSuchInterface(name: String, available: [String])
  /// The system has no room for another thread or descriptor, or too little memory.
  case system(reason: String)
  /// No such peer is connected.
  case noSuchPeer(id: String)
  /// A type, payload, key or value is beyond its limit, or a table is full.
  case refused(reason: String)
}

extension PeerClockError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notStarted: "the clock was not started yet"
    case .stopped: "the clock was stopped"
    case .configuration(let reason): reason
    case .stateDirectory(let path, let reason):
      "the state directory \"\(path)\" cannot be used: \(reason)"
    case .stateDirectoryInUse(let path):
      "another program uses the state directory \"\(path)\"; stop it, or choose another directory"
    case .stateUnreadable(let path, let reason):
      "the state in \"\(path)\" cannot be read: \(reason); move the file away to start anew"
    case .portInUse(let subject):
      "\(subject) is in use by another program; choose another port, or 0 for any free one"
    case .network(let reason): reason
    case .noSuchInterface(let name, let available):
      "this host has no network interface \"\(name)\"; it has \(available.joined(separator: ", "))"
    case .system(let reason): reason
    case .noSuchPeer(let id): "no peer \(id) is connected"
    case .refused(let reason): reason
    }
  }
}
