internal import CaptureEngine
internal import Control
internal import FileIO
internal import Glibc
internal import PeerClock
internal import Recording
internal import Units

// What other hosts want of this one's files.
extension DaemonService {
  /// How long a file may take to be read to its end: a day of 64 channels is long.
  static let readingPatience = Duration.seconds(595)

  /// How much of an answer's room files may fill, in bytes: a command carries 60 KiB.
  static let filePageBytes = 40_000

  /// A page of the files of a take; those that this host has no part in have none.
  func listFiles(
    of take: TakeID, page: Int, _ engine: CaptureEngine
  ) async throws(DiskSilence) -> HostAnswer {
    let entries = try await closedTakes(engine).filter { $0.summary.take.id == take }
    var answer = done(engine)
    guard !entries.isEmpty else {
      answer.outcome = .noPart
      return answer
    }
    // To know a file that was renamed, all of it is read.
    let files = await disks.digests.value(within: Self.readingPatience) { TakeFiles.list(entries) }
    guard let files else {
      throw DiskSilence(folder: options.output, patience: Self.readingPatience)
    }
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
  func digest(
    of name: String, take: TakeID, _ engine: CaptureEngine
  ) async throws(DiskSilence) -> HostAnswer {
    let found = await disks.digests.value(within: Self.readingPatience) { () -> (Bool, String?) in
      guard let path = Self.path(of: name, take: take, engine) else { return (false, nil) }
      return (true, TakeFiles.digest(of: path))
    }
    guard let (isThere, digest) = found else {
      throw DiskSilence(folder: options.output, patience: Self.readingPatience)
    }
    var answer = done(engine)
    answer.digest = digest
    if !isThere {
      answer.outcome = .refused
      answer.reason = "it has no such file"
    }
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
    let engine = engine
    let piece = await disks.pieces.value(within: Self.piecePatience) { () -> FilePiece in
      guard let path = Self.path(of: fetch.name, take: fetch.take, engine) else {
        return .failure("it has no such file")
      }
      return Self.read(path, fetch)
    }
    return piece
      ?? .failure(DiskSilence(folder: options.output, patience: Self.piecePatience).description)
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
  private static func path(of name: String, take: TakeID, _ engine: CaptureEngine?) -> String? {
    guard TakeFiles.isPlain(name),
      let folder = engine?.takes().first(where: { $0.summary.take.id == take })?.folder
    else { return nil }
    let path = folder + "/" + name
    return TakeFiles.size(of: path) == nil ? nil : path
  }
}
