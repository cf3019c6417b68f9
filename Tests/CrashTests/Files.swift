import Glibc

/// Reading and writing whole files, in tests.
enum Files {
  /// The folder of the test program, where SwiftPM puts libraries and programs too.
  static let beside: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    let program = String(
      decoding: path.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let places = [program, CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""]
    for place in places {
      let folder = place.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/")
      if access(folder + "/libCFaultyDisk.so", R_OK) == 0 { return folder }
    }
    return "."
  }()

  static func bytes(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    let length = Int(max(0, lseek(file, 0, SEEK_END)))
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, used in
      used = max(0, pread(file, buffer.baseAddress, length, 0))
    }
  }

  static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

  static func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
    precondition(file >= 0, "a test's own file can be made: \(path)")
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(file, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      precondition(count > 0, "a test's own file can be written")
      done += count
    }
    close(file)
  }

  /// All files below `folder`, by their paths.
  static func below(_ folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var found: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let path = "\(folder)/\(name)"
      found += entry.pointee.d_type == UInt8(DT_DIR) ? below(path) : [path]
    }
    return found.sorted()
  }

  /// What a shell command says.
  static func output(of command: String) -> String {
    guard let pipe = popen(command + " 2>/dev/null", "r") else { return "" }
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
