internal import FileIO
internal import FoundationEssentials
internal import Glibc
internal import Sealing

/// The group that a host belongs to, as `group.json` in its state directory keeps it: readable by
/// its owner alone (mode 0600).
///
/// The passphrase itself is not kept, only the key that argon2id made of it once.
public struct GroupFile: Hashable, Sendable {
  /// The file's name in a state directory.
  public static let fileName = "group.json"
  /// The longest name of a group, in bytes of UTF-8, and the longest passphrase.
  public static let longestName = 64
  public static let longestPassphrase = 1024

  private static let version = 1

  public let name: String
  let key: SecretKey

  private struct Stored: Codable {
    let version: Int
    let name: String
    let key: String
  }

  /// Stretches a passphrase, which takes some 70 ms and 64 MiB on purpose.
  ///
  /// - Throws: ``PeerClockError`` where the name or the passphrase is empty or too long, and where
  ///   there is too little memory.
  public init(name: String, passphrase: String) throws(PeerClockError) {
    guard !name.isEmpty, name.utf8.count <= Self.longestName,
      !name.contains(where: \.isNewline)
    else {
      throw .configuration(reason: "a group's name has 1 to \(Self.longestName) bytes on one line")
    }
    guard !passphrase.isEmpty, passphrase.utf8.count <= Self.longestPassphrase else {
      throw .configuration(
        reason: "a passphrase has 1 to \(Self.longestPassphrase) bytes on one line")
    }
    self.name = name
    do {
      key = try GroupKeys.stretch(passphrase, of: name)
    } catch { throw .system(reason: error.description) }
  }

  private init(name: String, key: SecretKey) {
    self.name = name
    self.key = key
  }

  /// Eight hexadecimal digits that follow from name and passphrase: hosts that show the same can
  /// hear one another. They do not give the key away.
  public var fingerprint: String {
    var digest = SHA256()
    digest.update(Array("peerclock group fingerprint".utf8)[...])
    digest.update(Array(name.utf8)[...])
    digest.update(key.bytes[...])
    let text = digest.hexDigest().prefix(8)
    return "\(text.prefix(4))-\(text.suffix(4))"
  }

  /// The group that is kept in a state directory; nothing where none is.
  ///
  /// - Throws: ``PeerClockError`` where there is a file that cannot be read.
  public static func load(from directory: String) throws(PeerClockError) -> GroupFile? {
    let path = "\(directory)/\(fileName)"
    let bytes: [UInt8]?
    do { bytes = try StateFile.read(path) } catch {
      throw .stateUnreadable(path: path, reason: error.description)
    }
    guard let bytes else { return nil }
    let stored: Stored
    do { stored = try JSONDecoder().decode(Stored.self, from: Data(bytes)) } catch {
      throw .stateUnreadable(path: path, reason: "it is not what this program writes")
    }
    guard stored.version <= version else {
      throw .stateUnreadable(
        path: path, reason: "it is of version \(stored.version), from a later program")
    }
    guard let key = Self.bytes(ofHex: stored.key).flatMap({ SecretKey($0) }) else {
      throw .stateUnreadable(path: path, reason: "its key is damaged")
    }
    return GroupFile(name: stored.name, key: key)
  }

  /// Keeps the group in a state directory, which is made where it is not there.
  ///
  /// - Returns: the file's path.
  @discardableResult
  public func keep(in directory: String) throws(PeerClockError) -> String {
    let path = "\(directory)/\(Self.fileName)"
    let stored = Stored(
      version: Self.version, name: name,
      key: key.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      let bytes = Array(try encoder.encode(stored)) + [0x0a]
      try Folders.make(directory, mode: 0o700)
      try FileIO.replace(path, with: bytes)
    } catch let failure as SystemFailure {
      throw .stateDirectory(path: directory, reason: failure.description)
    } catch {
      throw .stateDirectory(path: directory, reason: "\(error)")
    }
    return path
  }

  /// Forgets the group that is kept in a state directory; whether there was one.
  public static func remove(from directory: String) throws(PeerClockError) -> Bool {
    if unlink("\(directory)/\(fileName)") == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw .stateDirectory(path: directory, reason: "\(SystemFailure.last)")
    }
    return false
  }

  private static func bytes(ofHex text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0, digits.count <= 256 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[place...place + 1], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}

/// Passphrases that nobody has to think up.
public enum Passphrase {
  /// Letters and digits that are not taken for one another (Crockford's base 32, in small).
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// Draws one of 100 bits: four groups of five letters and digits.
  public static func make(from generator: inout some RandomNumberGenerator) -> String {
    (0..<4).map { _ in
      String((0..<5).map { _ in alphabet[Int(generator.next() >> 59)] })
    }.joined(separator: "-")
  }
}
