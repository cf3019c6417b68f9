internal import BroadcastWave
internal import FileIO
internal import Glibc
internal import Sealing
internal import Units

/// A sound file that is closed: its audio is never touched again; its iXML is edited in place, and
/// cues are put behind the audio.
enum ClosedFile {
  private static let piece = 1 << 20

  /// The size in bytes.
  static func size(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// The SHA-256 of a file in hexadecimal; nothing where it cannot be read.
  static func sha256(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var digest = SHA256()
    var buffer = [UInt8](repeating: 0, count: piece)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return digest.hexDigest() }
      digest.update(buffer[..<count])
    }
  }

  /// All of a small file; nothing where it is larger than `limit` or cannot be read.
  static func contents(of path: String, limit: Int) -> [UInt8]? {
    do throws(SystemFailure) { return try FileIO.contents(of: path, limit: limit) } catch {
      return nil
    }
  }

  static func wave(_ descriptor: Int32, length: UInt64) -> WaveReader? {
    do {
      return try WaveReader(length: length) { offset, count throws(WaveError) in
        do throws(SystemFailure) {
          return try FileIO.read(descriptor, at: offset, count: count)
        } catch {
          throw .unreadable(error.description)
        }
      }
    } catch {
      return nil
    }
  }
}
