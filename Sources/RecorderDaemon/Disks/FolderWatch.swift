internal import FileIO
internal import HostSensors
internal import Synchronization

/// How much room a folder's disk has, and whether it answers: it is asked aside, since a disk that
/// hangs never does.
final class FolderWatch: Sendable {
  /// From when on a disk is said not to answer.
  static let patience = Duration.seconds(2)

  let folder: String
  private let sensors: HostSensors
  private let line = SideLine(name: "disk")
  private let last = Mutex<DiskReading?>(nil)

  init(_ folder: String, sensors: HostSensors) {
    self.folder = folder
    self.sensors = sensors
  }

  /// Asks the disk; the answer is there when it comes.
  func look() {
    line.add("look") { [self] in
      let found = sensors.disk(holding: folder)
      last.withLock { $0 = found }
    }
  }

  /// What it has said last.
  var disk: DiskReading? { last.withLock { $0 } }

  /// For how long it has not answered, where that is long.
  var silence: Duration? { line.silence.flatMap { $0 >= Self.patience ? $0 : nil } }
}
