import Glibc

/// A folder of a test's own, gone when the test is over.
final class Workspace: Sendable {
  let path: String

  /// - Parameter isQuick: whether it lies in memory, where the machine has such a place: no other
  ///   program's writing keeps it waiting then.
  init(isQuick: Bool = false) {
    let parent = isQuick && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array((parent + "/capture-test-XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { name in
      name.baseAddress.map { mkdtemp($0) != nil } ?? false
    }
    precondition(made, "there is room for a test's own folder")
    path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  func link(_ name: String, to target: String) { symlink(target, path + "/" + name) }

  func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o755) }

  func write(_ bytes: [UInt8], to name: String) {
    let file = open(path + "/" + name, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
    precondition(write(file: file, bytes) == bytes.count, "a test's own folder can be written")
    close(file)
  }

  private func write(file: Int32, _ bytes: [UInt8]) -> Int {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(file, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if count <= 0 { return done }
      done += count
    }
    return done
  }

  /// All files below, by their paths from here.
  var files: [String] { Self.list(path).map { String($0.dropFirst(path.utf8.count + 1)) }.sorted() }

  func text(of name: String) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

  func bytes(of name: String) -> [UInt8] {
    let file = open(path + "/" + name, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count <= 0 { return result }
      result += buffer.prefix(count)
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func list(_ folder: String) -> [String] {
    names(in: folder).flatMap { name in
      let whole = folder + "/" + name
      let inside = list(whole)
      return isFolder(whole) ? inside : [whole]
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    guard let directory = opendir(path) else { return false }
    closedir(directory)
    return true
  }

  private static func remove(_ folder: String) {
    for name in names(in: folder) {
      let whole = folder + "/" + name
      // A link is taken away itself, and not what it leads to.
      if unlink(whole) != 0 { remove(whole) }
    }
    rmdir(folder)
  }
}

extension Workspace {
  /// What a shell command says.
  static func output(of command: String) -> String {
    guard let pipe = popen(command + " 2>&1", "r") else { return "" }
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
