import Glibc

/// A folder of a test's own, gone when the test is over.
final class Scratch {
  let path: String

  init() {
    var template = Array("/tmp/product-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { name in
      name.baseAddress.map { mkdtemp($0) != nil } ?? false
    }
    precondition(made, "there is room for a test's own folder")
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  func write(_ bytes: [UInt8], to name: String) -> String {
    let file = path + "/" + name
    let handle = open(file, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(handle, $0.baseAddress, $0.count) }
      precondition(count > 0, "a test's own folder can be written")
      rest = rest.dropFirst(count)
    }
    close(handle)
    return file
  }

  /// The files below that end in `suffix`, whole paths, sorted.
  func files(_ suffix: String) -> [String] {
    Self.list(path).filter { $0.hasSuffix(suffix) }.sorted()
  }

  /// Writes an ALSA configuration with one virtual card, `microphone`, at 48 kHz, which hears
  /// silence and its own noise.
  func card(ppm: Double, isBusy: Bool = false, channels: Int = 1) -> String {
    let silence = write([UInt8](repeating: 0, count: 4 * 4800), to: "scene.f32")
    let text = """
      pcm_type.recorder_virtual { lib "\(Program.folder)/libCVirtualCard.so" }
      pcm.microphone {
        type recorder_virtual
        scene "\(silence)"
        origin_ns 0
        rate 48000
        channels \(channels)
        format S24_3LE
        ppm \(ppm)
        busy \(isBusy ? 1 : 0)
      }

      """
    return write(Array(text.utf8), to: "asoundrc")
  }

  static func text(of file: String) -> String {
    let handle = open(file, O_RDONLY | O_CLOEXEC)
    guard handle >= 0 else { return "" }
    defer { close(handle) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(handle, &room, room.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += room.prefix(count)
    }
  }

  private static func names(in path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func list(_ path: String) -> [String] {
    (names(in: path) ?? []).flatMap { name -> [String] in
      let below = path + "/" + name
      return names(in: below) == nil ? [below] : list(below)
    }
  }

  private static func remove(_ path: String) {
    for name in names(in: path) ?? [] { remove(path + "/" + name) }
    Glibc.remove(path)
  }
}
