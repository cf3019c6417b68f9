import Glibc

/// Which boot of this machine: a stored clock map is void under any other.
public enum BootID {
  /// The kernel's id of the present boot, such as `1c9f…` with dashes, or nothing where /proc is
  /// not there.
  public static func current() -> String? {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let length = read(file, &bytes, bytes.count)
    guard length > 0 else { return nil }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).first.map(String.init)
  }
}
