/// Why a take was not aligned: a sentence that says what, why and, where it helps, what now.
public enum AlignmentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such file or folder.
  case noSuchInput(path: String)
  /// A folder stands where a file should.
  case isFolder(path: String)
  /// The folder holds no sound file.
  case noSoundFiles(folder: String)
  /// The folder holds only recordings that are not closed.
  case onlyUnfinished(folder: String, example: String)
  /// Several takes lie under the folder.
  case severalTakes(folder: String, takes: [String])
  /// A sound file has no timing log beside it, and no timecode.
  case noTimingLog(file: String, log: String)
  /// A timing log does not begin as one does.
  case unreadableLog(log: String, reason: String)
  /// Log and sound contradict each other.
  case contradiction(file: String, reason: String)
  /// The files belong to different sessions or takes.
  case differentTakes(one: String, other: String)
  /// The reference is none of the files.
  case unknownReference(path: String)
  /// The file gives no place in shared time.
  case noFit(file: String, reason: String)
  /// A file cannot be read.
  case unreadable(file: String, reason: String)
  /// An output is there already.
  case outputExists(path: String)
  /// An output cannot be written.
  case output(path: String, reason: String)
  /// Somebody wanted an end; what was half-written is gone.
  case interrupted
  /// The folder holds no host's account of a take.
  case noCertificates(folder: String)
  /// One file alone has nothing to be compared with.
  case oneFileOnly(file: String)
  /// A sound file holds no sound at all.
  case silent(file: String)
  /// The take spans no time.
  case emptyTake
  /// One file cannot have so many channels.
  case tooManyChannels(count: Int)

  public var description: String {
    switch self {
    case .noSuchInput(let path): "there is no file or folder \"\(path)\""
    case .isFolder(let path): "\"\(path)\" is a folder; name the sound files in it"
    case .noSoundFiles(let folder): "the folder \"\(folder)\" holds no sound files (.wav)"
    case .onlyUnfinished(let folder, let example):
      "the recordings in \"\(folder)\" are not closed: they are rolling still, or were interrupted; "
        + "to align what is there, name the files themselves, such as \"\(example)\""
    case .severalTakes(let folder, let takes):
      "under \"\(folder)\" lie \(takes.count) takes; name one of them, such as \"\(takes[0])\""
    case .noTimingLog(let file, let log):
      "\"\(file)\" has no timing log beside it and no timecode in it, so nothing tells when it was "
        + "recorded; looked for \"\(log)\"; try --by sound"
    case .unreadableLog(let log, let reason): "the timing log \"\(log)\" cannot be read: \(reason)"
    case .contradiction(let file, let reason):
      "\"\(file)\" and its timing log contradict each other: \(reason)"
    case .differentTakes(let one, let other):
      "\"\(one)\" and \"\(other)\" are of different takes; align one take at a time"
    case .unknownReference(let path):
      "the reference \"\(path)\" is none of the files to align"
    case .noFit(let file, let reason): "\"\(file)\" cannot be placed: \(reason)"
    case .unreadable(let file, let reason): "\"\(file)\" cannot be read: \(reason)"
    case .outputExists(let path):
      "\"\(path)\" is there already and is never replaced unasked; choose another folder with "
        + "--out, or replace it with --force"
    case .output(let path, let reason): "cannot write \"\(path)\": \(reason)"
    case .interrupted: "interrupted: what was half-written is removed, whole files stay"
    case .noCertificates(let folder):
      "the folder \"\(folder)\" holds no take.json, so nothing is certified; name a take's folder"
    case .oneFileOnly(let file):
      "\"\(file)\" is the only file: by sound, files are placed by what they have in common; name "
        + "two or more"
    case .silent(let file): "\"\(file)\" holds no sound: every sample of it is the same"
    case .emptyTake: "the take ends when it begins: there is nothing to align"
    case .tooManyChannels(let count):
      "one file cannot have \(count) channels; leave out --poly, or align fewer files at once"
    }
  }
}
