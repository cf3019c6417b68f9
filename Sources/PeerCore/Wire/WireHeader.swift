public import Units

/// What every datagram and frame begins with: in clear, but authenticated.
///
///     0  version 1      5  group tag 8     29  incarnation 8 (count 4, nonce 4)
///     1  category 1    13  sender 16       37  sequence 8
///     2  flags 1                           45  nonce 24, then the sealed payload
///     3  length 2, of the whole
public struct WireHeader: Hashable, Sendable {
  /// The one version there is.
  public static let version: UInt8 = 1
  /// The number of bytes of a header.
  public static let length = 45

  public let category: Category
  /// The number of bytes of the whole datagram or frame.
  public let totalLength: UInt16
  public let groupTag: UInt64
  public let sender: PeerID
  public let incarnation: Incarnation
  /// Grows by one with each datagram of the sender's run, or each frame of a link.
  public let sequence: UInt64

  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: Self.length)
    put(into: &writer)
    return writer.bytes
  }

  func put(into writer: inout ByteWriter) {
    writer.put(Self.version)
    writer.put(category.rawValue)
    writer.put(UInt8(0))
    writer.put(totalLength)
    writer.put(groupTag)
    writer.put(sender.high)
    writer.put(sender.low)
    writer.put(incarnation.count)
    writer.put(incarnation.nonce)
    writer.put(sequence)
  }

  init(
    category: Category, totalLength: Int, groupTag: UInt64, sender: PeerID,
    incarnation: Incarnation, sequence: UInt64
  ) {
    precondition(totalLength <= Int(UInt16.max), "a frame has 65,535 bytes at most")
    self.category = category
    self.totalLength = UInt16(totalLength)
    self.groupTag = groupTag
    self.sender = sender
    self.incarnation = incarnation
    self.sequence = sequence
  }

  /// Reads a header; the length is checked against the version's rules, not yet against the
  /// bytes that are there.
  init(reading bytes: ArraySlice<UInt8>) throws(WireRefusal) {
    guard bytes.count >= Self.length else { throw .tooShort }
    var reader = ByteReader(bytes.prefix(Self.length))
    let version = try reader.take(UInt8.self, "version")
    guard version == Self.version else { throw .unknownVersion(version) }
    let category = try reader.take(UInt8.self, "category")
    guard let known = Category(rawValue: category) else { throw .unknownCategory(category) }
    self.category = known
    // Flags are kept for later; a reader of this version ignores them.
    _ = try reader.take(UInt8.self, "flags")
    totalLength = try reader.take(UInt16.self, "length")
    groupTag = try reader.take(UInt64.self, "group tag")
    sender = PeerID(
      high: try reader.take(UInt64.self, "sender"), low: try reader.take(UInt64.self, "sender"))
    incarnation = Incarnation(
      count: try reader.take(UInt32.self, "incarnation"),
      nonce: try reader.take(UInt32.self, "incarnation"))
    sequence = try reader.take(UInt64.self, "sequence")
  }

  /// What a message is, which says how its payload is read. Below 16: datagrams; from 16 on:
  /// frames of a reliable link.
  public enum Category: UInt8, Hashable, Sendable, CaseIterable {
    case beacon = 1
    case probe = 2
    case probeReply = 3
    case heartbeat = 4
    case challenge = 5
    case challengeEcho = 6
    case introduction = 7
    case hello = 16
    case welcome = 17
    case ready = 18
    case command = 19
    case acknowledgement = 20
    case status = 21
    case statusRequest = 22

    /// Whether messages of the category travel as datagrams.
    public var isDatagram: Bool { rawValue < 16 }
  }
}
