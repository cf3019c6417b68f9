/// On which floor each target stands. `docs/architecture.md` says what each floor may do.
enum Floors {
  static let table: [String: Int] = [
    // 0: C.
    "CALSA": 0, "CEbur128": 0, "CInih": 0, "CSndfile": 0, "CSodium": 0, "CSoxr": 0, "CSystemd": 0,
    "CLinux": 0,
    "CBatchFFT": 0, "CSamples": 0, "CVirtualCard": 0, "CSkewedClock": 0, "CFaultyDisk": 0,
    // 1: values and pure overlays. Units lies under the others.
    "Units": 1, "INI": 1, "Sealing": 1, "Loudness": 1, "Resampling": 1, "FFT": 1,
    // 2: pure logic.
    "PeerCore": 2, "Recording": 2, "BroadcastWave": 2, "Alignment": 2, "AcousticScene": 2,
    "AlignmentPage": 2, "EditorSessions": 2,
    // 3: device overlays. HostClock reads the clocks for all of it.
    "HostClock": 3, "EventLoop": 3, "Sockets": 3, "Realtime": 3, "ALSA": 3, "SoundFile": 3,
    "HostSensors": 3, "FileIO": 3, "Systemd": 3, "CardReservation": 3, "Avahi": 3,
    "DBus": 3,
    // 4: shells.
    "PeerClock": 4, "CaptureEngine": 4, "Control": 4, "TakeAlignment": 4,
    "TakeRecovery": 4,
    // 5: what brings the shells together, Commands above the two others.
    "RecorderDaemon": 5, "Demo": 5, "CaptureBench": 5, "Commands": 5,
    // 6: executables.
    "recorder": 6,
    // The test kit.
    "Simulation": 3, "PeerClockTestSupport": 5, "TestLanes": 4,
  ]

  /// Dependencies within one floor that are meant so.
  static let sideways: Set<String> = [
    "Resampling→FFT",
    "Systemd→DBus", "CardReservation→DBus", "Avahi→DBus",
    "EventLoop→HostClock", "Sockets→HostClock", "Sockets→FileIO", "ALSA→HostClock",
    "Commands→RecorderDaemon",
    "Commands→Demo", "Commands→CaptureBench", "EditorSessions→BroadcastWave",
  ]

  /// Targets on floors 1 and 2: values that decide, without clock, I/O, async or Foundation.
  static func isPure(_ target: String) -> Bool {
    table[target] == 1 || table[target] == 2 || target == "Simulation"
  }

  /// Toolchain modules that the targets of a floor may import.
  static func toolchainModules(of target: String) -> Set<String> {
    if isPure(target) { return [] }
    let devices: Set<String> = ["Glibc", "Synchronization"]
    if target == "TestLanes" { return devices.union(["Testing"]) }
    return (table[target] ?? 0) >= 4 ? devices.union(["FoundationEssentials"]) : devices
  }
}
