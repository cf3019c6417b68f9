internal import Glibc

/// What commands of the shell say.
public enum ShellCommand {
  /// All that `command` says until its end, errors too.
  public static func output(of command: String) -> String {
    guard let pipe = popen(command + " 2>&1", "r") else { return "" }
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&room, 1, room.count, pipe)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += room[..<count]
    }
  }
}
