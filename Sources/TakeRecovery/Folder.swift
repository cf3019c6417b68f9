internal import CLinux
internal import FileIO
internal import Glibc

/// Finds files, and names them.
enum Folder {
  /// How deep takes lie: the output folder's sessions' takes.
  private static let depth = 2

  /// The stems of all sound files under `inputs`, each once: `.wav`, `.wav.part`, and timing logs
  /// that were left open beside them. Folders named `aligned` hold what can be made anew.
  static func stems(of inputs: [String]) throws(RecoveryError) -> [String] {
    var stems: [String] = []
    for input in inputs {
      if Folders.isFolder(input) {
        let path = input.count > 1 && input.hasSuffix("/") ? String(input.dropLast()) : input
        stems += try under(path, depth: depth)
      } else if exists(input) {
        guard let stem = stem(of: input) else {
          throw .unusable(path: input, reason: "it is no .wav, nor a .part of one")
        }
        stems.append(stem)
      } else {
        throw .noSuchInput(path: input)
      }
    }
    var seen: Set<String> = []
    return stems.filter { seen.insert($0).inserted }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// What stands behind the last slash.
  static func name(of path: String) -> String {
    String(path.split(separator: "/").last ?? Substring(path))
  }

  /// Renames without ever replacing.
  static func rename(_ old: String, to new: String) throws(RecoveryError) {
    let status = linux_rename_new(old, new)
    guard status >= 0 else { throw .system(path: new, code: -status) }
  }

  static func remove(_ path: String) throws(RecoveryError) {
    guard unlink(path) == 0 else { throw .system(path: path, code: errno) }
    try synchronize(of: path)
  }

  /// Makes a folder's names last.
  static func synchronize(of path: String) throws(RecoveryError) {
    do throws(SystemFailure) { try Folders.synchronize(of: path) } catch {
      throw .system(path: Folders.folder(of: path), code: error.code)
    }
  }

  /// The path of a sound file or of an open log without its ending; nothing where it is another.
  static func stem(of path: String) -> String? {
    for ending in [".wav.part", ".wav", ".WAV", ".timing.jsonl.part"]
    where path.hasSuffix(ending) && name(of: path).count > ending.count {
      return ending == ".WAV" ? path : String(path.dropLast(ending.count))
    }
    return nil
  }

  private static func under(_ folder: String, depth: Int) throws(RecoveryError) -> [String] {
    var stems: [String] = []
    for name in try names(in: folder) where name != "aligned" {
      let path = "\(folder)/\(name)"
      if Folders.isFolder(path) {
        if depth > 0 { stems += try under(path, depth: depth - 1) }
      } else if let stem = stem(of: path) {
        stems.append(stem)
      }
    }
    return stems
  }

  /// What lies in a folder, in order; nothing where it cannot be read.
  static func names(of folder: String) -> [String] {
    (try? names(in: folder.isEmpty ? "." : folder)) ?? []
  }

  private static func names(in folder: String) throws(RecoveryError) -> [String] {
    do throws(SystemFailure) { return try Folders.names(in: folder) } catch {
      throw .system(path: folder, code: error.code)
    }
  }
}
