internal import Glibc

/// Where the control socket of a daemon is.
public enum ControlPath {
  /// What the kernel allows (unix(7): 108 bytes with the ending zero).
  public static let longestBytes = 107

  /// The path: `explicit`, else `RECORDER_SOCKET`, else the usual place of this user.
  public static func find(
    explicit: String?, environment: (String) -> String? = Self.variable
  ) -> String {
    if let explicit { return explicit }
    if let path = environment("RECORDER_SOCKET"), !path.isEmpty { return path }
    if let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") {
      return folder + "/recorder/control.sock"
    }
    let user = getuid()
    if access("/run/user/\(user)", W_OK) == 0 { return "/run/user/\(user)/recorder/control.sock" }
    return "/tmp/recorder-\(user)/control.sock"
  }

  /// A variable of this process's environment.
  public static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
