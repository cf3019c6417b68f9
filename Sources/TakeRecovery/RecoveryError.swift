internal import BroadcastWave
internal import FileIO
internal import Glibc

/// Why a file was not recovered: a sentence.
public enum RecoveryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such file or folder.
  case noSuchInput(path: String)
  /// Another program holds the file.
  case busy(path: String)
  /// The system refused.
  case system(path: String, code: Int32)
  /// The file is none that can be made whole.
  case unusable(path: String, reason: String)

  public var description: String {
    switch self {
    case .noSuchInput(let path): "there is no file or folder \"\(path)\""
    case .busy(let path): "\"\(path)\" is being written by a running recorder; left alone"
    case .system(let path, let code): "\"\(path)\": \(SystemFailure(code: code))"
    case .unusable(let path, let reason): "\"\(path)\" is left as it is: \(reason)"
    }
  }
}
