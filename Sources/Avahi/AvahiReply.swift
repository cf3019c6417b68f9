internal import CSystemd
internal import DBus
internal import Glibc

/// A message from the bus, read from its beginning; what is not there, or is of another type, is
/// nothing.
final class AvahiReply {
  /// The most texts of a service's record that are read, and the most bytes of each.
  private static let mostTexts = 64
  private static let longestText = 255

  private let message: OpaquePointer?
  private let isOwned: Bool

  init(owning message: OpaquePointer) {
    self.message = message
    isOwned = true
  }

  init(borrowing message: OpaquePointer?) {
    self.message = message
    isOwned = false
  }

  deinit { if isOwned { sd_bus_message_unref(message) } }

  func int32() -> Int32? { number("i", Int32(0)) }
  func uint32() -> UInt32? { number("u", UInt32(0)) }
  func uint16() -> UInt16? { number("q", UInt16(0)) }
  func text() -> String? { string("s") }
  func path() -> String? { string("o") }

  /// An array of arrays of bytes.
  func texts() -> [String]? {
    guard sd_bus_message_enter_container(message, BusConnection.code("a"), "ay") > 0 else {
      return nil
    }
    var texts: [String] = []
    while texts.count < Self.mostTexts {
      var bytes: UnsafeRawPointer?
      var count = 0
      guard sd_bus_message_read_array(message, BusConnection.code("y"), &bytes, &count) > 0 else {
        break
      }
      let all = UnsafeRawBufferPointer(start: bytes, count: min(count, Self.longestText))
      texts.append(String(decoding: all, as: UTF8.self))
    }
    return texts
  }

  private func number<Value: BitwiseCopyable>(_ type: Character, _ start: Value) -> Value? {
    var value = start
    return sd_bus_message_read_basic(message, BusConnection.code(type), &value) > 0 ? value : nil
  }

  private func string(_ type: Character) -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, BusConnection.code(type), &text) > 0, let text else {
      return nil
    }
    return String(cString: text)
  }
}
