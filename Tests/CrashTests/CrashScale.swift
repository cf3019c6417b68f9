import Glibc

/// How much is tried: `RECORDER_CRASH` is `short` or `full`; without it no process is killed, and
/// some cuts of the power alone are looked at.
struct CrashScale {
  let kills: Int
  /// Of the calls that change the disk, every how-manieth is a process's last, and fails.
  let pointStride: Int
  let faultStride: Int
  let powerCuts: Int
  /// The same of a take with a draft.
  let draftCuts: Int
  /// After every how-manieth cut the take is recovered too.
  let recoverStride: Int
  /// How many processes run at a time.
  let parallel: Int
  /// Every how-manieth file is shown to sox and ffprobe too, which take their time.
  let readerStride: Int
  /// By how much a header may fall short of the moment of a kill, in seconds: the machine may be busy.
  let mostLost: Double

  static let current: CrashScale = {
    switch getenv("RECORDER_CRASH").map({ String(cString: $0) }) {
    case "full":
      CrashScale(
        kills: 300, pointStride: 1, faultStride: 1, powerCuts: 500, draftCuts: 500,
        recoverStride: 1, parallel: 12,
        readerStride: 1, mostLost: 1)
    case "short":
      CrashScale(
        kills: 16, pointStride: 8, faultStride: 8, powerCuts: 400, draftCuts: 100,
        recoverStride: 10, parallel: 24,
        readerStride: 8, mostLost: 2)
    default:
      CrashScale(
        kills: 0, pointStride: 100, faultStride: 100, powerCuts: 40, draftCuts: 0, recoverStride: 5,
        parallel: 1,
        readerStride: 10, mostLost: 2)
    }
  }()

  static let isAsked = getenv("RECORDER_CRASH") != nil
}
