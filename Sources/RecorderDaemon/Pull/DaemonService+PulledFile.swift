internal import CaptureEngine
internal import Control
internal import FileIO
internal import Glibc
internal import HostClock
internal import PeerClock
internal import Recording
internal import Units

// One file.
extension DaemonService {
  /// How many pieces are on their way at once.
  static let piecesAtOnce = 4
  /// How long a piece may take before it is asked for again, and how often that is done.
  static let piecePatience = Duration.seconds(5)
  static let pieceTries = 6
  /// How long a disk may take for a file's bytes, or to have all of them safe.
  static let pulledPatience = Duration.seconds(120)
  /// How many bytes a second are pulled while anything is armed or rolling.
  static let gentleRate = 1_000_000.0

  private struct PullFailure: Error {
    let reason: String
  }

  private func set(_ place: Int, _ state: PullReport.File.State, _ note: String? = nil) {
    pulling?.files[place].state = state
    if let note { pulling?.files[place].note = note }
    if state == .pulled || state == .present, let bytes = pulling?.files[place].bytes {
      pulling?.files[place].done = bytes
    }
  }

  func pullFile(_ place: Int) async {
    guard let entry = pulling?.files[place], entry.state == .waiting else { return }
    let source = pullSources[place]
    do {
      let path = entry.path
      if try await onDisk(path, { () throws(SystemFailure) in TakeFiles.size(of: path) }) != nil {
        let isSame = try await isSame(entry, source)
        return set(
          place, isSame ? .present : .differs,
          isSame ? nil : "another file of this name is here, and was left as it is")
      }
      set(place, .pulling)
      let target = PullPlace(path: entry.path, bytes: entry.bytes)
      for attempt in 0... {
        try await fetch(place, source, into: target)
        if try await isSame(entry, source, at: target.draft) { break }
        try await onDisk(path) { () throws(SystemFailure) in target.forget() }
        guard attempt == 0 else {
          throw PullFailure(reason: "what came is not what \(entry.label) has; try again")
        }
      }
      try await onDisk(path) { () throws(SystemFailure) in try target.finish() }
      set(place, .pulled)
    } catch let error as PullFailure {
      set(place, .failed, error.reason)
    } catch let error as SystemFailure {
      set(place, .failed, "\(entry.path): \(error)")
    } catch {
      set(place, .failed, "\(error)")
    }
  }

  /// What the disk of this host's `path` gives, which may not answer.
  private func onDisk<Value: Sendable>(
    _ path: String, _ work: @escaping @Sendable () throws(SystemFailure) -> Value
  ) async throws -> Value {
    let done = await disks.pulled.value(within: Self.pulledPatience) {
      Result { () throws(SystemFailure) in try work() }
    }
    guard let done else {
      throw PullFailure(
        reason: DiskSilence(folder: Folders.folder(of: path), patience: Self.pulledPatience)
          .description)
    }
    return try done.get()
  }

  /// Whether both ends have the same, by SHA-256.
  private func isSame(
    _ entry: PullReport.File, _ source: PullSource, at path: String? = nil
  ) async throws -> Bool {
    let path = path ?? entry.path
    // Nothing, where the disk does not answer either.
    let found = await disks.pulled.value(within: Self.readingPatience) {
      TakeFiles.digest(of: path)
    }
    guard let here = found.flatMap(\.self) else {
      throw PullFailure(reason: "\(path) cannot be read")
    }
    guard let member = try members(named: []).first(where: { $0.peer == entry.peer }) else {
      throw PullFailure(reason: "\(entry.label) is not heard any more; try again")
    }
    let answer = await callRoll(
      .digest(take: source.take, name: source.presentName), of: [member]
    ).first
    guard let there = answer?.digest else {
      throw PullFailure(
        reason: answer?.reason ?? "\(entry.label) did not answer; try again")
    }
    return here == there
  }

  private func fetch(_ place: Int, _ source: PullSource, into target: PullPlace) async throws {
    let (file, left) = try await onDisk(target.path) { () throws(SystemFailure) in
      (try target.open(), target.left)
    }
    // Behind what may still be written to it.
    defer { disks.pulled.add { close(file) } }
    var offset = left
    var pace = ContinuousClock.now
    let peer = pulling?.files[place].peer ?? me
    pulling?.files[place].done = offset
    while offset < target.bytes {
      try Task.checkCancellation()
      let pieces = (0..<Self.piecesAtOnce).map { offset + Int64($0 * FileFetch.longestPiece) }
        .filter { $0 < target.bytes }
      var written: Int64 = 0
      for (begin, bytes) in try await fetch(pieces, of: source, from: peer, total: target.bytes) {
        try await onDisk(target.path) { () throws(SystemFailure) in
          try FileIO.write(bytes, to: file, at: UInt64(begin))
        }
        written += Int64(bytes.count)
      }
      guard written > 0 else { throw PullFailure(reason: "it has become shorter there; try again") }
      offset += written
      pulling?.files[place].done = offset
      try await slowDown(after: written, since: &pace)
    }
    try await onDisk(target.path) { () throws(SystemFailure) in
      guard fdatasync(file) == 0 else { throw .last }
    }
  }

  /// Pieces of a file, each with its place; asked for together, and again where one is lost.
  private func fetch(
    _ offsets: [Int64], of source: PullSource, from peer: PeerID, total: Int64
  ) async throws -> [(Int64, [UInt8])] {
    var got: [Int64: [UInt8]] = [:]
    for _ in 0..<Self.pieceTries {
      var numbers: [UInt64: Int64] = [:]
      for offset in offsets where got[offset] == nil {
        let fetch = FileFetch(
          number: newOrderNumber(), take: source.take, name: source.presentName, offset: offset,
          count: Int(min(Int64(FileFetch.longestPiece), total - offset)))
        numbers[fetch.number] = offset
        pieces[fetch.number] = .waited
        await ask(fetch, of: peer)
      }
      let deadline = hostClock.now() + Self.piecePatience
      while numbers.keys.contains(where: { pieces[$0]?.isWaited ?? false }),
        hostClock.now() < deadline
      {
        try await Task.sleep(for: .milliseconds(2))
      }
      for (number, offset) in numbers {
        switch pieces.removeValue(forKey: number) {
        case .bytes(let bytes): got[offset] = bytes
        case .failure(let reason): throw PullFailure(reason: reason)
        case .waited, nil: break
        }
      }
      if got.count == offsets.count {
        return got.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      }
    }
    throw PullFailure(reason: "\(name(of: peer)) does not answer any more; run it again to go on")
  }

  private func ask(_ fetch: FileFetch, of peer: PeerID) async {
    guard peer != me else {
      pieces[fetch.number] = await piece(fetch)
      return
    }
    do {
      try await clock.send(
        Command(
          type: FileFetch.type, payload: FleetCoding.encode(fetch),
          expires: clock.sharedNow.map { $0 + Self.piecePatience }), to: peer)
    } catch {
      say("could not ask \(name(of: peer)) for a piece: \(error)")
    }
  }

  /// A piece that was waited for.
  func take(_ payload: [UInt8]) {
    guard let (number, piece) = FilePiece.decoded(payload), pieces[number] != nil else { return }
    pieces[number] = piece
  }

  /// While anything rolls, the network and the disks are the take's.
  private func slowDown(
    after bytes: Int64, since pace: inout ContinuousClock.Instant
  ) async throws {
    let isOwnBusy = engine.map { $0.snapshot.state != .idle } ?? false
    let isBusy =
      isOwnBusy
      || reports.contains { connected[$0.key] != .disconnected && $0.value.report.state != "idle" }
    pulling?.isSlow = isBusy
    if isBusy {
      let span = Duration.seconds(Double(bytes) / Self.gentleRate)
      let left = span - pace.duration(to: .now)
      if left > .zero { try await Task.sleep(for: left) }
    }
    pace = .now
  }
}
