internal import Glibc

/// This very program and the libraries that lie beside it.
struct Program {
  let path: String
  /// The plugin by which ALSA knows virtual cards.
  let virtualCard: String
  /// The preloaded library by which a process has a clock of its own.
  let skewedClock: String

  /// Finds them beside `/proc/self/exe`.
  init() throws(DemoError) {
    path = Self.link("/proc/self/exe")
    let folder = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    virtualCard = folder + "/libCVirtualCard.so"
    skewedClock = folder + "/libCSkewedClock.so"
    for library in [virtualCard, skewedClock] where access(library, R_OK) != 0 {
      throw .missing(String(library.dropFirst(folder.count + 1)), beside: folder)
    }
  }

  private static func link(_ path: String) -> String {
    var room = [UInt8](repeating: 0, count: 4_096)
    let count = room.withUnsafeMutableBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlink(path, $0, characters.count) } ?? 0
      }
    }
    return String(decoding: room.prefix(max(0, count)), as: UTF8.self)
  }
}
