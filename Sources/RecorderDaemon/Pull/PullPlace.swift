internal import CLinux
internal import Control
internal import FileIO
internal import Glibc

/// Where a file is written that comes in pieces: under its name with `.pull` behind it, until it is
/// whole and known to be right.
struct PullPlace {
  let path: String
  let bytes: Int64

  var draft: String { path + ".pull" }

  /// How much of it an earlier run has left.
  var left: Int64 {
    guard let size = TakeFiles.size(of: draft), size <= bytes else { return 0 }
    // The last piece may be torn.
    let piece = Int64(FileFetch.longestPiece)
    return size == bytes ? size : size / piece * piece
  }

  /// Opens it; what is there stays.
  func open() throws(SystemFailure) -> Int32 {
    try Folders.make(Folders.folder(of: path), mode: 0o777)
    let file = Glibc.open(draft, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw .last }
    return file
  }

  /// Gives the whole file its name; nothing is ever replaced.
  func finish() throws(SystemFailure) {
    let status = linux_rename_new(draft, path)
    guard status >= 0 else { throw SystemFailure(code: -status) }
    try Folders.synchronize(of: path)
  }

  /// Begins anew: what was pulled was not what the other has.
  func forget() { truncate(draft, 0) }
}
