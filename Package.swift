// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is compiled with.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// What floors 1 and 2 are compiled with besides.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

let package = Package(
  name: "recorder",
  products: [
    .executable(name: "recorder", targets: ["recorder"]),
    .library(name: "PeerClock", targets: ["PeerClock"]),
    .library(name: "PeerClockTestSupport", targets: ["PeerClockTestSupport"]),
    .library(name: "Alignment", targets: ["Alignment"]),
    .library(name: "BroadcastWave", targets: ["BroadcastWave"]),
    .library(name: "CVirtualCard", type: .dynamic, targets: ["CVirtualCard"]),
    .library(name: "CSkewedClock", type: .dynamic, targets: ["CSkewedClock"]),
    .library(name: "CFaultyDisk", type: .dynamic, targets: ["CFaultyDisk"]),
  ],
  targets: [
    // Floor 0: C.
    .systemLibrary(name: "CALSA"),
    .systemLibrary(name: "CEbur128"),
    .systemLibrary(name: "CInih"),
    .systemLibrary(name: "CSndfile"),
    .systemLibrary(name: "CSodium"),
    .systemLibrary(name: "CSoxr"),
    .systemLibrary(name: "CSystemd"),
    .target(name: "CLinux"),
    .target(name: "CBatchFFT", linkerSettings: [.linkedLibrary("m")]),
    .target(name: "CSamples"),
    .target(
      name: "CVirtualCard",
      linkerSettings: [.linkedLibrary("asound"), .linkedLibrary("m")]),
    .target(
      name: "CSkewedClock",
      linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("m")]),

    .target(name: "CFaultyDisk", linkerSettings: [.linkedLibrary("dl")]),

    // Floor 1: values and pure overlays.
    .target(name: "Units", swiftSettings: pure, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Sealing", dependencies: ["CSodium"], swiftSettings: pure),
    .target(
      name: "Loudness", dependencies: ["CEbur128"], swiftSettings: pure,
      linkerSettings: [.linkedLibrary("m")]),
    .target(name: "INI", dependencies: ["CInih"], swiftSettings: pure),
    .target(name: "Resampling", dependencies: ["CSoxr", "FFT"], swiftSettings: pure),
    .target(name: "FFT", dependencies: ["CBatchFFT"], swiftSettings: pure),

    // Floor 2: pure logic.
    .target(name: "PeerCore", dependencies: ["Units", "Sealing"], swiftSettings: pure),
    .target(name: "Recording", dependencies: ["Units"], swiftSettings: pure),
    .target(name: "BroadcastWave", dependencies: ["Units"], swiftSettings: pure),
    .target(name: "Alignment", dependencies: ["Units", "FFT"], swiftSettings: pure),
    .target(
      name: "EditorSessions", dependencies: ["Units", "BroadcastWave"], swiftSettings: pure),
    .target(name: "AlignmentPage", swiftSettings: pure),
    .target(name: "AcousticScene", dependencies: ["Units"], swiftSettings: pure),

    // The test kit, which imports floors 1 and 2 only.
    .target(
      name: "Simulation", dependencies: ["Units", "Sealing", "PeerCore", "Recording"],
      swiftSettings: pure),

    // The test kit's two lanes: for tests that compute, and for tests in real time.
    .target(name: "TestLanes", dependencies: ["EventLoop"], swiftSettings: strict),

    // Floor 3: device overlays.
    .target(name: "HostClock", dependencies: ["CLinux", "Units"], swiftSettings: strict),
    .target(
      name: "EventLoop", dependencies: ["CLinux", "Units", "HostClock"], swiftSettings: strict),
    .target(
      name: "Sockets", dependencies: ["CLinux", "Units", "HostClock", "FileIO"],
      swiftSettings: strict),
    .target(name: "Realtime", dependencies: ["CLinux", "Units"], swiftSettings: strict),
    .target(name: "ALSA", dependencies: ["CALSA", "Units", "HostClock"], swiftSettings: strict),
    .target(name: "SoundFile", dependencies: ["CSndfile", "Units", "FFT"], swiftSettings: strict),
    .target(name: "DBus", dependencies: ["CSystemd"], swiftSettings: strict),
    .target(name: "CardReservation", dependencies: ["CSystemd", "DBus"], swiftSettings: strict),
    .target(name: "FileIO", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "Systemd", dependencies: ["CSystemd", "DBus"], swiftSettings: strict),
    .target(name: "Avahi", dependencies: ["CSystemd", "DBus"], swiftSettings: strict),
    .target(name: "HostSensors", dependencies: ["CLinux", "Units"], swiftSettings: strict),

    // Floor 4: shells.
    .target(
      name: "PeerClock",
      dependencies: [
        "FileIO",
        "CLinux", "Units", "Sealing", "PeerCore", "HostClock", "EventLoop", "Sockets",
      ],
      swiftSettings: strict),
    .target(
      name: "PeerClockTestSupport",
      dependencies: ["Units", "PeerCore", "HostClock", "EventLoop", "PeerClock"],
      swiftSettings: strict),
    .target(
      name: "CaptureEngine",
      dependencies: [
        "FileIO",
        "CLinux", "CSamples", "Units", "Sealing", "Loudness", "Recording", "BroadcastWave",
        "HostClock", "HostSensors", "Realtime", "ALSA", "CardReservation",
      ],
      swiftSettings: strict),
    .target(
      name: "Control",
      dependencies: ["FileIO", "CLinux", "Units", "Recording", "HostClock", "EventLoop"],
      swiftSettings: strict),
    .target(
      name: "TakeAlignment",
      dependencies: [
        "FileIO",
        "Units", "Recording", "BroadcastWave", "Alignment", "Resampling", "Sealing", "SoundFile",
        "EditorSessions", "AlignmentPage", "FFT",
      ],
      swiftSettings: strict),
    .target(
      name: "TakeRecovery",
      dependencies: ["FileIO", "CLinux", "Units", "Recording", "BroadcastWave"],
      swiftSettings: strict),

    // Floor 5: what brings the shells together.
    .target(
      name: "RecorderDaemon",
      dependencies: [
        "CLinux", "Units", "Sealing", "Recording", "HostClock", "EventLoop", "HostSensors",
        "FileIO", "Systemd", "Avahi", "PeerCore", "PeerClock", "CaptureEngine", "Control",
        "TakeRecovery",
      ],
      swiftSettings: strict),
    .target(
      name: "Demo",
      dependencies: [
        "FileIO",
        "CLinux", "Units", "Recording", "AcousticScene", "HostClock", "SoundFile", "Control",
        "TakeAlignment",
      ],
      swiftSettings: strict),
    .target(
      name: "CaptureBench",
      dependencies: ["FileIO", "CLinux", "Units", "Recording", "HostClock", "CaptureEngine"],
      swiftSettings: strict),
    .target(
      name: "Commands",
      dependencies: [
        "FileIO",
        "CLinux", "Units", "INI", "Recording", "BroadcastWave", "HostClock", "HostSensors",
        "Systemd", "ALSA", "PeerClock",
        "CaptureEngine", "Control", "TakeAlignment",
        "TakeRecovery",
        "RecorderDaemon", "Demo", "CaptureBench",
      ],
      swiftSettings: strict),

    // Floor 6: executables.
    .executableTarget(name: "recorder", dependencies: ["Commands"], swiftSettings: strict),

    // Tests.
    .testTarget(
      name: "UnitsTests",
      dependencies: [
        "TestLanes", "Units",
      ], swiftSettings: strict),
    .testTarget(
      name: "INITests", dependencies: ["TestLanes", "INI"], swiftSettings: strict),
    .testTarget(
      name: "FFTTests",
      dependencies: [
        "TestLanes", "Units", "FFT",
      ], swiftSettings: strict),
    .testTarget(
      name: "SealingTests",
      dependencies: [
        "TestLanes", "Sealing",
      ], swiftSettings: strict),
    .testTarget(
      name: "PeerCoreTests",
      dependencies: [
        "TestLanes", "Units", "Sealing", "PeerCore", "Simulation",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "TestLanes", "Units", "PeerCore", "Simulation",
      ], swiftSettings: strict),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "TestLanes", "Units", "Recording",
      ], swiftSettings: strict),
    .testTarget(
      name: "BroadcastWaveTests",
      dependencies: [
        "TestLanes", "TestFolders", "Units", "BroadcastWave", "SoundFile",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AlignmentTests",
      dependencies: [
        "TestLanes", "TestFolders",
        "Units", "Alignment", "Resampling", "TakeAlignment", "Recording", "BroadcastWave",
        "Sealing", "SoundFile",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EditorSessionsTests",
      dependencies: [
        "TestLanes", "TestFolders", "CLinux", "Units", "BroadcastWave", "EditorSessions",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AlignmentPageTests", dependencies: ["TestLanes", "AlignmentPage"],
      swiftSettings: strict),
    .testTarget(
      name: "AcousticSceneTests",
      dependencies: [
        "TestLanes", "Units", "AcousticScene",
      ], swiftSettings: strict),
    .testTarget(
      name: "DeviceTests",
      dependencies: [
        "TestLanes", "TestFolders", "CLinux", "Units", "HostClock", "EventLoop", "Sockets",
        "HostSensors",
        "FileIO",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PeerClockTests",
      dependencies: [
        "TestLanes", "Units", "Sealing", "PeerCore", "HostClock", "EventLoop", "Sockets",
        "PeerClock", "PeerClockTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CaptureTests",
      dependencies: [
        "TestLanes", "TestFolders",
        "CLinux", "CVirtualCard", "AllocationCount", "FaultyDisk", "Units", "Recording",
        "BroadcastWave",
        "AcousticScene", "HostClock", "HostSensors", "Realtime", "ALSA", "CaptureEngine",
        "SoundFile",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TakeRecoveryTests",
      dependencies: [
        "TestLanes", "TestFolders", "CLinux", "Units", "Recording", "BroadcastWave",
        "CaptureEngine", "SoundFile",
        "TakeRecovery",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CardReservationTests",
      dependencies: [
        "TestLanes", "TestBuses", "CSystemd", "DBus", "CardReservation", "CaptureEngine", "Systemd",
      ],
      swiftSettings: strict),
    .target(name: "TestFolders", path: "Tests/TestFolders", swiftSettings: strict),
    .target(
      name: "TestBuses", dependencies: ["CLinux", "CSystemd", "DBus"], path: "Tests/TestBuses",
      swiftSettings: strict),
    .testTarget(
      name: "SkewedClockTests",
      dependencies: [
        "TestLanes", "TestFolders", "CSkewedClock", "CVirtualCard", "CLinux", "Units",
        "AcousticScene",
        "SoundFile", "ClockProbe",
      ],
      swiftSettings: strict),
    .executableTarget(name: "ClockProbe", path: "Tests/ClockProbe"),
    .executableTarget(name: "PacketFlood", path: "Tests/PacketFlood"),
    .executableTarget(
      name: "FakeFleet", dependencies: ["Units", "Recording", "PeerClock"],
      path: "Tests/FakeFleet", swiftSettings: strict),
    .executableTarget(
      name: "TakeProbe",
      dependencies: ["Units", "Recording", "BroadcastWave", "HostClock", "CaptureEngine"],
      path: "Tests/TakeProbe", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "TestLanes", "Units", "BroadcastWave", "Recording", "PeerCore", "Control", "TakeRecovery",
      ],
      exclude: ["Corpus"], swiftSettings: strict),
    .testTarget(
      name: "CrashTests",
      dependencies: [
        "TestLanes", "TestFolders", "CLinux", "CVirtualCard", "TakeProbe", "Units", "Recording",
        "BroadcastWave",
        "SoundFile", "TakeRecovery", "HostClock",
      ],
      swiftSettings: strict),
    .target(name: "AllocationCount", path: "Tests/AllocationCount"),
    .target(
      name: "FaultyDisk", path: "Tests/FaultyDisk", linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "Scenarios", dependencies: ["Units", "Sealing", "PeerCore", "Simulation"],
      path: "Tests/Scenarios", swiftSettings: strict),
    .executableTarget(
      name: "ScenarioRunner", dependencies: ["Scenarios"], path: "Tests/ScenarioRunner",
      swiftSettings: strict),
    .testTarget(
      name: "ScenarioTests", dependencies: ["TestLanes", "Scenarios"], swiftSettings: strict),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "TestLanes", "TestFolders", "CLinux", "Units", "Recording", "EventLoop", "Control",
        "TakeAlignment", "FileIO", "TakeRecovery", "RecorderDaemon", "Commands",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ProductTests",
      dependencies: [
        "TestLanes", "TestFolders",
        "CLinux", "CVirtualCard", "CSkewedClock", "Units", "Recording", "AcousticScene", "Demo",
        "SoundFile", "Control", "TestBuses", "recorder",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TidyTests", dependencies: ["TestLanes"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
