internal import CLinux
internal import Glibc

/// Who is answered on the control socket: its owner, root, and the members of one group.
struct ControlAccess: Hashable, Sendable {
  /// The group whose members may command a daemon that is not theirs.
  static let groupName = "recorder"
  /// The most groups of a user that are looked at; the kernel's own limit is 65 536.
  private static let mostGroups: Int32 = 1024

  let owner: UInt32
  /// Nothing: there is no such group, or it may not be given the socket.
  let group: UInt32?

  /// Whether somebody with these groups is answered.
  func allows(user: UInt32, groups: [UInt32]) -> Bool {
    if user == owner || user == 0 { return true }
    guard let group else { return false }
    return groups.contains(group)
  }

  /// Whether the other end of the Unix socket `descriptor` is answered.
  func allows(_ descriptor: Int32) -> Bool {
    guard let user = UInt32(exactly: linux_unix_peer_user(descriptor)) else { return false }
    var groups = [UInt32](repeating: 0, count: Int(Self.mostGroups))
    let count = linux_unix_peer_groups(descriptor, &groups, Self.mostGroups)
    return allows(user: user, groups: Array(groups.prefix(Int(max(0, count)))))
  }

  /// The number of the group called `name`, where there is one.
  static func group(named name: String) -> UInt32? {
    var entry = GroupEntry()
    var found: UnsafeMutablePointer<GroupEntry>?
    var room = [CChar](repeating: 0, count: 16_384)
    guard getgrnam_r(name, &entry, &room, room.count, &found) == 0, found != nil else {
      return nil
    }
    return entry.gr_gid
  }

  private typealias GroupEntry = Glibc.group
}
