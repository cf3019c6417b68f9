internal import CaptureEngine
internal import Control
internal import FileIO
internal import Glibc
internal import PeerClock
internal import Recording
internal import Units

// What other hosts want of this one's files.
extension DaemonService {
  /// How much of an answer's room files may fill, in bytes: a command carries 60 KiB.
  static let filePageBytes = 40_000

  /// A page of the files of a take; those that this host has no part in have none.
  func listFiles(of take: TakeID, page: Int, _ engine: CaptureEngine) async -> HostAnswer {
    var answer = HostAnswer(
      peer: me, label: label, outcome: .done, state: engine.snapshot.state.word)
    let entries = engine.takes().filter { $0.summary.take.id == take }
    guard !entries.isEmpty else {
      answer.outcome = .noPart
      return answer
    }
    // To know a file that was renamed, all of it is read.
    let files = await Task.detached(priority: .background) { TakeFiles.list(entries) }.value
    var pages: [[TakeFile]] = [[]]
    var bytes = 0
    for file in files {
      let size = FleetCoding.encode(file).count
      if bytes + size > Self.filePageBytes, !pages[pages.count - 1].isEmpty {
        pages.append([])
        bytes = 0
      }
      pages[pages.count - 1].append(file)
      bytes += size
    }
    answer.files = page >= 0 && page < pages.count ? pages[page] : []
    answer.filesLeft = max(0, pages.count - 1 - page)
    return answer
  }

  /// The digest of a file of a take.
  func digest(of name: String, take: TakeID, _ engine: CaptureEngine) async -> HostAnswer {
    var answer = HostAnswer(
      peer: me, label: label, outcome: .done, state: engine.snapshot.state.word)
    guard let path = path(of: name, take: take) else {
      answer.outcome = .refused
      answer.reason = "it has no such file"
      return answer
    }
    answer.digest = await Task.detached(priority: .background) { TakeFiles.digest(of: path) }.value
    return answer
  }

  /// Sends a piece of a file.
  func serve(_ payload: [UInt8], to peer: PeerID) async {
    guard let fetch = FleetCoding.decode(FileFetch.self, from: payload) else { return }
    let piece = await piece(fetch)
    do {
      try await clock.send(
        Command(type: FilePiece.type, payload: piece.encoded(number: fetch.number)), to: peer)
    } catch {
      say("could not send a piece of \(fetch.name) to \(name(of: peer)): \(error)")
    }
  }

  /// A piece of one of this host's files.
  func piece(_ fetch: FileFetch) async -> FilePiece {
    let path = path(of: fetch.name, take: fetch.take)
    return await Task.detached(priority: .background) { () -> FilePiece in
      guard let path else { return .failure("it has no such file") }
      return Self.read(path, fetch)
    }.value
  }

  private static func read(_ path: String, _ fetch: FileFetch) -> FilePiece {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return .failure(SystemFailure.last.description) }
    defer { close(file) }
    do throws(SystemFailure) {
      return .bytes(
        try FileIO.read(
          file, at: UInt64(clamping: fetch.offset),
          count: min(max(0, fetch.count), FileFetch.longestPiece)))
    } catch {
      return .failure(error.description)
    }
  }

  /// Only what lies in the folder of a take of this host is given away.
  private func path(of name: String, take: TakeID) -> String? {
    guard TakeFiles.isPlain(name),
      let folder = engine?.takes().first(where: { $0.summary.take.id == take })?.folder
    else { return nil }
    let path = folder + "/" + name
    return TakeFiles.size(of: path) == nil ? nil : path
  }
}
