/// What a process did to its disk, in order, by the faulty disk's own log.
struct DiskLog {
  enum Operation {
    case open(descriptor: Int32, path: String, isNew: Bool, truncates: Bool, isFolder: Bool)
    case write(descriptor: Int32, offset: Int, bytes: [UInt8])
    case sync(descriptor: Int32)
    case rename(from: String, to: String)
    case truncate(descriptor: Int32, length: Int)
    case makeFolder(path: String)
    case link(from: String, to: String)
    case unlink(path: String)
    case close(descriptor: Int32)
  }

  private(set) var operations: [Operation] = []

  /// How many calls there were that the faulty disk counts.
  var counted: Int {
    operations.count { if case .close = $0 { false } else { true } }
  }

  var writes: Int {
    operations.count { if case .write = $0 { true } else { false } }
  }

  init(path: String) {
    let bytes = Files.bytes(path)
    var place = 0
    while place + 32 <= bytes.count {
      func number(_ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[place + offset + $1]) << (8 * $1) }
      }
      let wide = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + 8 + $1]) << (8 * $1) }
      let head = Head(
        kind: number(0), descriptor: Int32(truncatingIfNeeded: number(4)),
        place: Int(truncatingIfNeeded: wide), isNew: number(28) != 0)
      let (first, second, data) = (number(16), number(20), number(24))
      let start = place + 32
      place = start + first + second + data
      guard place <= bytes.count else { return }
      let paths = (
        String(decoding: bytes[start..<start + first], as: UTF8.self),
        String(decoding: bytes[start + first..<start + first + second], as: UTF8.self)
      )
      if let one = Self.operation(head, paths, Array(bytes[(place - data)..<place])) {
        operations.append(one)
      }
    }
  }

  private struct Head {
    let kind: Int
    let descriptor: Int32
    let place: Int
    let isNew: Bool
  }

  private static func operation(
    _ head: Head, _ paths: (String, String), _ data: [UInt8]
  ) -> Operation? {
    switch head.kind {
    case 1:
      .open(
        descriptor: head.descriptor, path: paths.0, isNew: head.isNew,
        truncates: head.place & 0o1000 != 0, isFolder: head.place & 0o200000 != 0)
    case 2: .write(descriptor: head.descriptor, offset: head.place, bytes: data)
    case 3: .sync(descriptor: head.descriptor)
    case 4: .rename(from: paths.0, to: paths.1)
    case 5: .truncate(descriptor: head.descriptor, length: head.place)
    case 6: .makeFolder(path: paths.0)
    case 7: .link(from: paths.0, to: paths.1)
    case 8: .unlink(path: paths.0)
    case 9: .close(descriptor: head.descriptor)
    default: nil
    }
  }
}
