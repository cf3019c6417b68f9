import BroadcastWave
import EditorSessions
import Units

/// Two hosts: one in place and in step, one half a frame late and 12 ppm fast, with names that trip.
enum SampleProject {
  static let folder = "/tmp/a b & c"

  static func make(
    paths: [String] = [folder + "/one.wav", folder + "/two's.wav"]
  ) -> EditorProject {
    let rate = SampleRate(hertz: 48_000)
    // 10:00:00:00 at 25 frames a second.
    let start: UInt64 = 36_000 * 48_000
    var one = EditorClip(
      path: paths[0], name: "one", track: "rec-a", channels: 2, sampleRate: rate,
      frames: FrameCount(480_000), start: 0, timeReference: start)
    one.scene = "12A"
    one.take = "3"
    one.note = "wind, \"cars\""
    let two = EditorClip(
      path: paths[1], name: "two <x> & \"y\"", track: "rec \"b\"", channels: 1, sampleRate: rate,
      frames: FrameCount(480_006), start: 0.020_000_25, playRate: 1.000_012,
      timeReference: start + 960)
    return EditorProject(
      name: "take 12A/3", sampleRate: rate, frameRate: .fps25, startSample: start,
      clips: [one, two], markers: [EditorMarker(position: 1.5, text: "clap\n& \"go\"")])
  }
}
