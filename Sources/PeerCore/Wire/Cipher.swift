public import Sealing

/// How messages are made unreadable and unforgeable.
public enum Cipher: Sendable {
  /// As they travel on every network.
  case sealed(GroupKeys)
  /// Of the same length but readable and open to forgery, with zeros in place of nonce and seal:
  /// for simulations of many hours, where sealing would take most of the time. Nothing in a
  /// shell makes this case.
  case clear(tag: UInt64)

  /// What marks the group's packets in clear.
  public var tag: UInt64 {
    switch self {
    case .sealed(let keys): keys.tag
    case .clear(let tag): tag
    }
  }

  var datagramKey: FrameKey {
    switch self {
    case .sealed(let keys): .sealed(keys.datagram)
    case .clear: .clear
    }
  }

  var connectionKey: FrameKey {
    switch self {
    case .sealed(let keys): .sealed(keys.connection)
    case .clear: .clear
    }
  }
}

/// The key of one kind of frame.
enum FrameKey: Sendable {
  case sealed(SecretKey)
  case clear

  func subkey(for purpose: String, context: [UInt8]) -> FrameKey {
    switch self {
    case .sealed(let key): .sealed(key.subkey(for: purpose, context: context))
    case .clear: .clear
    }
  }
}
