internal import FileIO
internal import HostSensors
internal import Synchronization

/// What a daemon does with its disks and sensors: each kind of it in a line of its own, beside the
/// event loop, which waits for no disk.
final class Disks: Sendable {
  /// How long a look at the takes may last: whoever asked waits for three seconds.
  static let patience = Duration.milliseconds(2500)
  /// The same of a disk that is known not to answer.
  private static let shortPatience = Duration.seconds(1)

  /// Small files that the state directory keeps.
  let state = SideLine(name: "state files")
  /// Folders that are looked at, and the lists of takes.
  let takes = SideLine(name: "takes")
  /// What is said of takes that are closed.
  let remarks = SideLine(name: "remarks")
  /// Pieces of files for other hosts.
  let pieces = SideLine(name: "pieces")
  /// Files that are read to their end.
  let digests = SideLine(name: "digests")
  /// Files that come from other hosts.
  let pulled = SideLine(name: "pulled")
  /// What an interruption has left.
  let recovery = SideLine(name: "recovery")

  /// The folders that takes go to.
  let outputs: [FolderWatch]
  let stateFolder: FolderWatch

  private struct Supplies {
    var battery: BatteryReading?
    var celsius: Double?
  }

  private let sensors: HostSensors
  private let sensing = SideLine(name: "sensors")
  private let supplies = Mutex(Supplies())

  init(outputs: [String], state: String, sensors: HostSensors = HostSensors()) {
    self.sensors = sensors
    self.outputs = outputs.map { FolderWatch($0, sensors: sensors) }
    stateFolder = FolderWatch(state, sensors: sensors)
  }

  /// Asks all of them; what they say is there when it comes.
  func look() {
    sensing.add("look") { [self] in
      let found = Supplies(
        battery: sensors.battery(), celsius: sensors.temperatureCelsius())
      supplies.withLock { $0 = found }
    }
    for folder in outputs + [stateFolder] { folder.look() }
  }

  var battery: BatteryReading? { supplies.withLock { $0.battery } }

  var celsius: Double? { supplies.withLock { $0.celsius } }

  /// For how long a folder that takes go to has not answered, where that is long.
  var outputSilence: Duration? { outputs.compactMap(\.silence).max() }

  /// How long to wait for one of these folders: `usual`, unless its disk is known not to answer.
  func patience(_ usual: Duration) -> Duration {
    outputSilence == nil ? usual : min(usual, Self.shortPatience)
  }

  /// For how long the state directory has not answered, where that is long.
  var stateSilence: Duration? {
    let written = state.silence.flatMap { $0 >= FolderWatch.patience ? $0 : nil }
    return [written, stateFolder.silence].compactMap(\.self).max()
  }
}
