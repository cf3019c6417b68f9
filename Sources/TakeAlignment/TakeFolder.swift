internal import FileIO
internal import Glibc

/// Finds a take's sound files.
enum TakeFolder {
  /// What the names of sound files end in.
  private static let suffixes = [".wav", ".flac", ".aif", ".aiff", ".rf64", ".w64", ".caf"]

  /// The sound files that `inputs` name: files as they are, folders by what they hold.
  static func soundFiles(of inputs: [String]) throws(AlignmentError) -> [String] {
    var files: [String] = []
    for input in inputs {
      switch kind(of: input) {
      case .folder: files += try soundFiles(in: trimmed(input))
      case .file: files.append(input)
      case .nothing: throw .noSuchInput(path: input)
      }
    }
    var seen: Set<String> = []
    return files.filter { seen.insert($0).inserted }
  }

  /// Whether there is something at `path`.
  static func exists(_ path: String) -> Bool { kind(of: path) != .nothing }

  /// What tells the file at `path` from all others, by whatever path it is reached.
  static func identity(of path: String) -> [UInt64] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  /// What a path leads to.
  enum Kind { case file, folder, nothing }

  static func kind(of path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .nothing }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// The sound files of a folder, or those of the only take under it.
  private static func soundFiles(in folder: String) throws(AlignmentError) -> [String] {
    let here = try waves(in: folder)
    if !here.isEmpty { return here }
    if let open = try names(in: folder).first(where: { $0.hasSuffix(".wav.part") }) {
      throw .onlyUnfinished(folder: folder, example: "\(folder)/\(open)")
    }
    // A take's folder lies in its session's, which lies in the output folder.
    var takes: [String] = []
    var level = [folder]
    for _ in 0..<2 {
      var next: [String] = []
      for parent in level { next += try subfolders(of: parent) }
      level = next
      for take in level where try !waves(in: take).isEmpty { takes.append(take) }
    }
    if takes.count > 1 { throw .severalTakes(folder: folder, takes: takes.sorted()) }
    guard let take = takes.first else { throw .noSoundFiles(folder: folder) }
    return try waves(in: take)
  }

  private static func waves(in folder: String) throws(AlignmentError) -> [String] {
    let names = try names(in: folder)
    return names.filter { name in
      suffixes.contains { name.lowercased().hasSuffix($0) } && !isSpare(name, among: names)
    }.map { "\(folder)/\($0)" }
  }

  /// Whether a file is a draft that an interruption left behind, and the file that it was the draft
  /// of is there too and holds the same.
  static func isSpare(_ name: String, among names: [String]) -> Bool {
    let ending = "_000.wav"
    return name.hasSuffix(ending) && names.contains(name.dropLast(ending.count) + "_001.wav")
  }

  private static func subfolders(of folder: String) throws(AlignmentError) -> [String] {
    try names(in: folder).filter { $0 != TakeAligner.folderName }.map { "\(folder)/\($0)" }
      .filter { kind(of: $0) == .folder }
  }

  /// The names in a folder, in order, but those that begin with a dot.
  static func names(in folder: String) throws(AlignmentError) -> [String] {
    do throws(SystemFailure) { return try Folders.names(in: folder) } catch {
      throw .unreadable(file: folder, reason: error.description)
    }
  }

  private static func trimmed(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
