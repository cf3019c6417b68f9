internal import CInih

/// Reads settings in sections: `key = value` a line, `[section]`, comments after `;` or `#`.
///
/// The corresponding C function is `ini_parse_stream` of inih. A line that begins with a blank goes
/// on with the setting above it: another entry of the same key.
public enum INIReader {
  /// The longest line, in bytes: inih's own limit, beyond which it would cut in silence.
  public static let longestLine = 198
  /// The longest text, in bytes.
  public static let longestText = 65_536

  /// What a parse goes through, for the callbacks.
  private struct State {
    var lines: ArraySlice<ArraySlice<UInt8>>
    var line = 0
    var entries: [INIEntry] = []
  }

  /// The settings of `text`, in the order in which they stand.
  public static func entries(of text: [UInt8]) throws(INIError) -> [INIEntry] {
    guard text.count <= longestText, !text.contains(0) else { throw .notText }
    let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false)
    if let place = lines.firstIndex(where: { $0.count > longestLine }) {
      throw .lineTooLong(line: place + 1)
    }
    var state = State(lines: lines[...])
    let status = unsafe withUnsafeMutablePointer(to: &state) { state in
      unsafe ini_parse_stream(reader, state, handler, state)
    }
    guard status == 0 else { throw .syntax(line: Int(status)) }
    return state.entries
  }

  /// The most lines of a text that are told to be wrong.
  public static let mostErrors = 32

  /// The settings of `text` as far as it holds some, and all lines that are none, in order.
  public static func reading(of text: [UInt8]) -> (entries: [INIEntry], errors: [INIError]) {
    var lines = text.split(separator: 0x0a, omittingEmptySubsequences: false)
    var errors: [INIError] = []
    while true {
      do throws(INIError) {
        return (try entries(of: Array(lines.joined(separator: [0x0a]))), errors)
      } catch {
        errors.append(error)
        switch error {
        case .syntax(let line), .lineTooLong(let line):
          guard errors.count < mostErrors else { return ([], errors) }
          lines[line - 1] = []
        case .notText: return ([], errors)
        }
      }
    }
  }

  /// Gives the next line, as fgets would.
  private static let reader: ini_reader = { buffer, room, context in
    guard let buffer = unsafe buffer, let context = unsafe context else { return nil }
    let state = unsafe context.assumingMemoryBound(to: State.self)
    guard let line = unsafe state.pointee.lines.popFirst(), line.count + 2 <= Int(room) else {
      return nil
    }
    unsafe state.pointee.line += 1
    var place = 0
    for byte in line {
      unsafe buffer[place] = CChar(bitPattern: byte)
      place += 1
    }
    unsafe buffer[place] = 0x0a
    unsafe buffer[place + 1] = 0
    return unsafe buffer
  }

  private static let handler: ini_handler = { context, section, key, value in
    guard let context = unsafe context, let key = unsafe key else { return 0 }
    let state = unsafe context.assumingMemoryBound(to: State.self)
    let entry = unsafe INIEntry(
      section: section.map { unsafe String(cString: $0) } ?? "", key: String(cString: key),
      value: value.map { unsafe String(cString: $0) } ?? "", line: state.pointee.line)
    unsafe state.pointee.entries.append(entry)
    return 1
  }
}
