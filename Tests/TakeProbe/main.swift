import BroadcastWave
import CaptureEngine
import Glibc
import HostClock
import Recording
import Synchronization
import Units

// Records one take through the product's own capture engine, and says what becomes of it, a line
// each: `t0 HOST_NS`, `began`, `ended`, `failed`, `warning …`. For tests that put a faulty disk under it or kill
// it.
//
//     TakeProbe PCM FOLDER MILLISECONDS [mono] [split] [early]
//
// `early` starts the take before its card is known well enough to cut it.
let words = CommandLine.arguments
guard words.count >= 4, let milliseconds = Int64(words[3]) else { exit(64) }

@Sendable func say(_ text: String) {
  let line = Array("\(text)\n".utf8)
  _ = write(1, line, line.count)
}

final class Outcome: Sendable {
  let event = Mutex<CaptureEngine.Event?>(nil)
}
let outcome = Outcome()

let session = Session(
  id: SessionID(high: 0x5E55_0000_0000_0000, low: 1),
  anchorUnixNanoseconds: 1_790_000_000_000_000_000, anchorErrorNanoseconds: 1_000_000,
  utcOffsetSeconds: 7200)
let map = ClockMap(
  session: session.id, generation: 1, hostAnchor: HostClock().now(),
  sharedAnchor: SharedInstant(nanoseconds: 90_000_000_000_000), skew: .zero,
  jitterBoundNanoseconds: 3000, pathLimitNanoseconds: 20_000, boundGrowth: .zero)
let settings = FileSettings(
  isMono: words.contains("mono"), split: words.contains("split") ? .length(.seconds(1)) : nil)
let engine = CaptureEngine(
  input: CaptureInput(
    name: words[1], rate: SampleRate(hertz: 48_000), channels: nil, preRoll: .seconds(2),
    leastRoom: .zero),
  output: words[2],
  host: CaptureHost(
    peer: PeerID(high: 0xAB12_0000_0000_0000, low: 1), label: "mic", software: "probe",
    bootID: "boot"),
  settings: settings, clockMap: { map }, session: { session },
  events: { event in
    switch event {
    case .began: say("began")
    case .ended:
      say("ended")
      outcome.event.withLock { $0 = event }
    case .failed:
      say("failed")
      outcome.event.withLock { $0 = event }
    case .warning(let text), .lost(let text): say("warning \(text)")
    }
  })

do {
  _ = try engine.arm(
    TakePlan(id: TakeID(high: 0x7A00_0000_0000_0000, low: 7), name: "probe", number: 1))
  usleep(words.contains("early") ? 200_000 : 3_200_000)
  let now = HostClock().now()
  let t0 = map.shared(at: now)
  say("t0 \(now.nanoseconds)")
  _ = try engine.start(at: t0)
  // T1 is told only when it is near, as people stop takes.
  for _ in 0..<milliseconds / 20 where outcome.event.withLock({ $0 == nil }) { usleep(20_000) }
  if outcome.event.withLock({ $0 == nil }) {
    try engine.stop(at: t0 + .milliseconds(milliseconds))
  }
  for _ in 0..<500 where outcome.event.withLock({ $0 == nil }) { usleep(20_000) }
} catch {
  say("refused \(error)")
}
engine.shutDown()
if case .ended? = outcome.event.withLock({ $0 }) { exit(0) }
exit(3)
