internal import Control
internal import FoundationEssentials
internal import Recording
internal import Units

/// What one host asks all hosts to do, as it travels between daemons.
struct FleetOrder: Codable, Sendable {
  static let type = "recorder.order"

  enum Action: Codable, Sendable {
    case arm(TakePlan)
    /// Begin the take; a host that is not armed with it is armed first. Where the take is for all
    /// hosts, those that come later join it.
    case start(TakePlan, t0: SharedInstant, isForAll: Bool)
    case stop(t1: SharedInstant)
    case disarm
    /// Go on in a new session: for whoever keeps the time.
    case renewSession
    /// Write on the slate.
    case slate(SessionBook.Slate)
    /// Mark an instant in the take that rolls.
    case mark(text: String, at: SharedInstant)
    /// Say something of a take.
    case remark(take: TakeID, TakeRemarks)
    /// Say in a take's files how many there are on all hosts.
    case countFiles(take: TakeID, total: Int)
    /// Tell a page of the session's takes, from 0.
    case listTakes(page: Int)
    /// Tell a page of a take's files, from 0.
    case listFiles(take: TakeID, page: Int)
    /// Tell the digest of a file of a take.
    case digest(take: TakeID, name: String)
  }

  /// Which order, so that answers find it.
  let number: UInt64
  /// The session that instants are of.
  let session: SessionID
  let action: Action
}

/// What a host answers.
struct FleetAnswer: Codable, Sendable {
  static let type = "recorder.answer"

  let number: UInt64
  let answer: HostAnswer
}

/// JSON as the daemons write it to one another.
enum FleetCoding {
  static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value))
    } catch {
      preconditionFailure("orders, answers and reports are numbers and texts: \(error)")
    }
  }

  /// Nothing where `bytes` are not what they should be: another version's, as a rule.
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      return nil
    }
  }
}
