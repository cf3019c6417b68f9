internal import FileIO
internal import Glibc
internal import Units

/// A folder for a measurement, with virtual cards in it; gone when it is over.
final class BenchStage {
  let path: String

  /// Makes a folder in `parent`.
  init(in parent: String) throws(BenchError) {
    var template = Array((parent + "/recorder-bench-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      let reason = SystemFailure.last.description
      throw BenchError(
        description: "cannot make a folder in \(parent): \(reason); choose another with --folder")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// Makes two cards of one kind, `ours` and `theirs`, the only ones that ALSA knows from now on.
  func install(_ one: BenchCase, originNanoseconds: Int64) throws(BenchError) {
    try write(Self.scene, to: "scene.f32")
    var text = "pcm_type.recorder_virtual { lib \"\(try Self.library())\" }\n"
    for name in ["ours", "theirs"] {
      text += """
        pcm.\(name) {
          type recorder_virtual
          scene "\(path)/scene.f32"
          origin_ns \(originNanoseconds)
          rate \(one.rate.hertz)
          channels \(one.channels)
          format S32_LE
        }

        """
    }
    try write(Array(text.utf8), to: "asoundrc")
    setenv("ALSA_CONFIG_PATH", path + "/asoundrc", 1)
  }

  /// A second of a tone.
  private static var scene: [UInt8] {
    (0..<48_000).flatMap { sample in
      let value = 0.5 * sin(2 * Double.pi * 440 * Double(sample) / 48_000)
      return withUnsafeBytes(of: Float(value).bitPattern.littleEndian) { Array($0) }
    }
  }

  private static func library() throws(BenchError) -> String {
    var room = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &room, room.count - 1)
    let program = String(
      decoding: room.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = program.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    let library = folder + "/libCVirtualCard.so"
    guard access(library, R_OK) == 0 else {
      throw BenchError(
        description: "libCVirtualCard.so is missing in \(folder); run: swift build -c release")
    }
    return library
  }

  private func write(_ bytes: [UInt8], to name: String) throws(BenchError) {
    let file = open(path + "/" + name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
    guard count == bytes.count else {
      throw BenchError(
        description: "cannot write \(path)/\(name): \(SystemFailure.last)")
    }
  }

  /// How many bytes there are in files whose names begin so: a program may put what is too long for
  /// one file into several.
  func bytes(ofFilesNamed beginning: String) -> Int64 {
    Self.names(in: path).filter { $0.hasPrefix(beginning) }.reduce(into: 0) { sum, name in
      var found = stat()
      if stat(path + "/" + name, &found) == 0, found.st_mode & S_IFMT == S_IFREG {
        sum += Int64(found.st_size)
      }
    }
  }

  private static func names(in folder: String) -> [String] {
    do {
      return try Folders.names(in: folder)
    } catch {
      // What is no folder has nothing in it.
      return []
    }
  }

  private static func remove(_ folder: String) {
    for name in names(in: folder) {
      let whole = folder + "/" + name
      if unlink(whole) != 0 { remove(whole) }
    }
    rmdir(folder)
  }
}
