internal import CLinux
internal import FileIO
internal import FoundationEssentials
internal import Glibc
internal import HostClock
internal import PeerCore
internal import Synchronization
internal import Units

/// The folder in which a peer keeps who it is and what time it was, held by one program at a time.
///
/// `peerclock.json` is the state (``StoredState``); `peerclock.lock` is held until
/// ``release()``.
final class StateDirectory: Sendable {
  let path: String
  private let lock: Mutex<Int32?>
  private let state: Mutex<StoredState>

  private static let fileName = "peerclock.json"
  private static let lockName = "peerclock.lock"

  /// Opens the folder, making it where it is missing, and counts one more start in it.
  init(path: String, generator: inout some RandomNumberGenerator) throws(PeerClockError) {
    self.path = path
    do {
      try Folders.make(path, mode: 0o700)
    } catch {
      throw .stateDirectory(path: path, reason: error.description)
    }
    let file = try Self.takeLock(path)
    lock = Mutex(file)
    do {
      var stored = try Self.load(path) ?? Self.fresh(&generator)
      stored.incarnationCount += 1
      try Self.save(stored, path)
      state = Mutex(stored)
    } catch {
      close(file)
      throw error
    }
  }

  deinit { release() }

  /// Gives the folder free for another program; nothing is kept in it from now on.
  func release() {
    lock.withLock { lock in
      if let file = lock { close(file) }
      lock = nil
    }
  }

  var peer: PeerID { state.withLock { $0.peer } }

  var incarnationCount: UInt32 { state.withLock { $0.incarnationCount } }

  /// The session that was kept, the rates, and the map where it still holds: under the same boot,
  /// and without a sleep since.
  func storedTime(clock: HostClock) -> StoredTime? {
    guard let time = state.withLock({ $0.time }) else { return nil }
    let slept = clock.sleptNanoseconds(since: time.suspendedNanoseconds) != nil
    let sameBoot = time.bootID != nil && time.bootID == BootID.current()
    return StoredTime(
      session: time.session.session, map: sameBoot && !slept ? time.map?.map : nil,
      rates: RateBook(time.rates ?? []))
  }

  /// Keeps the session, the map to it, and the rates.
  func keep(_ kept: StoredTime, clock: HostClock) throws(PeerClockError) {
    guard lock.withLock({ $0 != nil }) else { return }
    let time = StoredState.Time(
      bootID: BootID.current(), suspendedNanoseconds: clock.suspendedNanoseconds(),
      session: StoredSession(kept.session), map: kept.map.map(StoredMap.init),
      rates: kept.rates.entries)
    let stored = state.withLock { state in
      state.time = time
      return state
    }
    try Self.save(stored, path)
  }

  /// Keeps this host's new id, and the former one, which is a twin's now, beside it.
  func rekey(_ peer: PeerID) throws(PeerClockError) {
    guard lock.withLock({ $0 != nil }) else { return }
    let stored = state.withLock { state in
      state.formerPeers = ((state.formerPeers ?? []) + [state.peer]).suffix(Self.mostFormerPeers)
      state.peer = peer
      return state
    }
    try Self.save(stored, path)
  }

  /// The most former ids that are kept.
  private static let mostFormerPeers = 16

  private static func fresh(_ generator: inout some RandomNumberGenerator) -> StoredState {
    StoredState(peer: PeerID(from: &generator), incarnationCount: 0)
  }

  private static func takeLock(_ path: String) throws(PeerClockError) -> Int32 {
    let file = open("\(path)/\(lockName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw .stateDirectory(path: path, reason: "\(SystemFailure.last)")
    }
    let status = linux_lock_file(file)
    guard status >= 0 else {
      close(file)
      if status == -EWOULDBLOCK { throw .stateDirectoryInUse(path: path) }
      throw .stateDirectory(path: path, reason: "\(SystemFailure(code: -status))")
    }
    return file
  }

  private static func load(_ path: String) throws(PeerClockError) -> StoredState? {
    let file = "\(path)/\(fileName)"
    let bytes: [UInt8]?
    do { bytes = try StateFile.read(file) } catch {
      throw .stateUnreadable(path: file, reason: error.description)
    }
    guard let bytes else { return nil }
    struct Version: Decodable { let version: Int }
    do {
      let version = try JSONDecoder().decode(Version.self, from: Data(bytes)).version
      guard version <= StoredState.version else {
        throw PeerClockError.stateUnreadable(
          path: file, reason: "it is of version \(version), from a later program")
      }
      return try JSONDecoder().decode(StoredState.self, from: Data(bytes))
    } catch let error as PeerClockError {
      throw error
    } catch {
      throw .stateUnreadable(path: file, reason: "it is damaged")
    }
  }

  private static func save(_ state: StoredState, _ path: String) throws(PeerClockError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    do {
      try FileIO.replace("\(path)/\(fileName)", with: Array(encoder.encode(state)) + [0x0a])
    } catch let failure as SystemFailure {
      throw .stateDirectory(path: path, reason: failure.description)
    } catch {
      throw .stateDirectory(path: path, reason: "\(error)")
    }
  }
}
