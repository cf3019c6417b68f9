import FoundationEssentials
import Glibc
import PeerClock
import Recording
import Units

// Many hosts in one process, without cards, on loopback: what `recorder status` is measured with.
//
//     FakeFleet COUNT GROUP PASSPHRASE SECONDS

let words = CommandLine.arguments
guard words.count == 5, let count = Int(words[1]), let seconds = Int(words[4]) else {
  print("usage: FakeFleet COUNT GROUP PASSPHRASE SECONDS")
  exit(64)
}

/// What a host with a card of 16 channels says of itself.
func report(_ peer: PeerID, _ label: String) -> HostReport {
  var sync = HostReport.Sync(role: .follower)
  sync.boundNs = 38_000
  sync.offsetNs = 12_000
  var report = HostReport(
    peer: peer, label: label, software: "fake", state: "armed", sync: sync)
  report.input = .init(
    description: "Fake Audio", pcm: "hw:Fake", sampleRateHertz: 48_000, channels: 16, bits: 24)
  report.levelsDbfs = .init(
    peak: Array(repeating: -18, count: 16), rms: Array(repeating: -30, count: 16),
    clipped: Array(repeating: 0, count: 16), silentSeconds: Array(repeating: 0, count: 16))
  report.batteryPercent = 87
  report.diskFreeBytes = 1 << 40
  report.diskMinutesLeft = 800
  report.warnings = ["disk: 48 min left at this rate; free some or choose another with --output"]
  return report
}

let encoder = JSONEncoder()
var clocks: [PeerClock] = []
for number in 0..<count {
  var configuration = PeerClockConfiguration(
    group: .init(name: words[2], passphrase: words[3]), label: "fake-\(number)", software: "fake")
  configuration.interfaces = ["lo"]
  let clock = PeerClock(configuration: configuration)
  try await clock.start()
  if let peer = clock.localPeer {
    let value = Array(try encoder.encode(report(peer, "fake-\(number)")))
    await clock.setStatus(value, forKey: "recorder.host")
  }
  clocks.append(clock)
}
print("\(count) hosts")
try await Task.sleep(for: .seconds(seconds))
for clock in clocks { clock.stop() }
