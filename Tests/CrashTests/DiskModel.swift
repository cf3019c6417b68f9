import Units

/// A disk as it is after some of the calls of a ``DiskLog``: what the system sees, and what would
/// be left of it were the power cut now.
///
/// Left is what was synced. Of the rest each page of 4 KiB may have reached the disk or not, in any
/// order; names that were not synced may be there up to any point of their history.
struct DiskModel {
  private final class Inode {
    var seen: [UInt8] = []
    var durable: [UInt8] = []
    var pending: [(offset: Int, bytes: [UInt8])] = []
    var isSynced = false
  }

  private enum NameChange {
    case add(String, Inode)
    case remove(String)
  }

  struct File {
    let bytes: [UInt8]
    /// Whether anything of it was ever made last.
    let isSynced: Bool
  }

  private var names: [String: Inode] = [:]
  private var durableNames: [String: Inode] = [:]
  private var pendingNames: [NameChange] = []
  private var open: [Int32: Inode] = [:]
  private var openFolders: [Int32: String] = [:]

  mutating func apply(_ operation: DiskLog.Operation) {
    switch operation {
    case .open(let descriptor, let path, let isNew, let truncates, let isFolder):
      if isFolder {
        openFolders[descriptor] = path
        return
      }
      let inode = isNew ? Inode() : names[path] ?? Inode()
      if isNew { change(.add(path, inode)) }
      if truncates && !isNew {
        // What a truncation leaves of a file that is not synced is anybody's guess: nothing.
        inode.seen = []
        inode.durable = []
        inode.pending = []
      }
      open[descriptor] = inode
    case .write(let descriptor, let offset, let bytes):
      guard let inode = open[descriptor] else { return }
      Self.put(bytes, at: offset, into: &inode.seen)
      inode.pending.append((offset, bytes))
    case .truncate(let descriptor, let length):
      guard let inode = open[descriptor] else { return }
      inode.seen.removeLast(max(0, inode.seen.count - length))
    case .sync(let descriptor): sync(descriptor)
    case .rename(let from, let to):
      guard let inode = names[from] else { return }
      change(.add(to, inode))
      change(.remove(from))
    case .link(let from, let to): if let inode = names[from] { change(.add(to, inode)) }
    case .unlink(let path): change(.remove(path))
    case .makeFolder: break
    case .close(let descriptor):
      open[descriptor] = nil
      openFolders[descriptor] = nil
    }
  }

  private mutating func change(_ one: NameChange) {
    Self.apply(one, to: &names)
    pendingNames.append(one)
  }

  private static func apply(_ change: NameChange, to names: inout [String: Inode]) {
    switch change {
    case .add(let path, let inode): names[path] = inode
    case .remove(let path): names[path] = nil
    }
  }

  private mutating func sync(_ descriptor: Int32) {
    if let inode = open[descriptor] {
      inode.durable = inode.seen
      inode.pending = []
      inode.isSynced = true
    }
    guard let folder = openFolders[descriptor] else { return }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    func isWithin(_ path: String) -> Bool {
      path.hasPrefix(prefix) && !path.dropFirst(prefix.count).contains("/")
    }
    pendingNames.removeAll { change in
      let path =
        switch change {
        case .add(let path, _), .remove(let path): path
        }
      guard isWithin(path) else { return false }
      Self.apply(change, to: &durableNames)
      return true
    }
  }

  private static func put(_ bytes: [UInt8], at offset: Int, into file: inout [UInt8]) {
    if file.count < offset + bytes.count {
      file += [UInt8](repeating: 0, count: offset + bytes.count - file.count)
    }
    file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  /// The files as the system sees them: what a killed process leaves.
  var seen: [String: File] {
    names.mapValues { File(bytes: $0.seen, isSynced: $0.isSynced) }
  }

  /// The files as a cut of the power leaves them.
  ///
  /// - Parameter luck: how likely a page is to be there that was not synced, 0 to 1.
  func afterPowerCut(luck: Double, using generator: inout SeededGenerator) -> [String: File] {
    var left = durableNames
    let reached = luck == 0 ? 0 : Int.random(in: 0...pendingNames.count, using: &generator)
    for change in pendingNames.prefix(reached) { Self.apply(change, to: &left) }
    var files: [String: File] = [:]
    for (path, inode) in left.sorted(by: { $0.key < $1.key }) {
      var bytes = inode.durable
      for write in inode.pending {
        for page in Self.pages(write) where generator.nextUnit() < luck {
          Self.put(page.bytes, at: page.offset, into: &bytes)
        }
      }
      files[path] = File(bytes: bytes, isSynced: inode.isSynced)
    }
    return files
  }

  private static func pages(
    _ write: (offset: Int, bytes: [UInt8])
  ) -> [(offset: Int, bytes: [UInt8])] {
    var pages: [(offset: Int, bytes: [UInt8])] = []
    var done = 0
    while done < write.bytes.count {
      let place = write.offset + done
      let count = min(4096 - place % 4096, write.bytes.count - done)
      pages.append((place, Array(write.bytes[done..<done + count])))
      done += count
    }
    return pages
  }
}
