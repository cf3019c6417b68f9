import Glibc
import TestLanes
import Testing
import Units

/// What a crash, a failing disk and a cut of the power leave of a take: the product's own engine,
/// on a virtual card and a faulty disk.
@Suite("Crashes", .live)
struct CrashTests {
  private let scale = CrashScale.current

  private func report(_ check: TakeCheck, _ what: String) {
    for problem in check.problems.prefix(20) { Issue.record("\(what): \(problem)") }
    print(
      "crash: \(what): \(check.files) files, \(check.problems.count) wrong, \(check.unborn) without"
        + " a header yet, \(check.recovered) recovered, header short of the audio by"
        + " \(Double(check.worstShortfall) / Double(TakeCheck.rate)) s at most"
        + (check.worstLoss > 0 ? ", of the moment by \(check.worstLoss) s" : ""))
  }

  /// A take that nothing happens to.
  private func cleanRun(milliseconds: Int, options: [String] = []) throws -> Probe {
    var probe: Probe?
    Probe.run([Probe.Job(milliseconds: milliseconds, options: options)], parallel: 1) { probe = $0 }
    let clean = try #require(probe)
    #expect(clean.exitCode == 0, "\(clean.words)")
    return clean
  }

  @Test(
    "killed at any moment, and by each call that changes the disk: readable, and not short",
    .enabled(if: CrashScale.isAsked))
  func crashes() throws {
    let seed = UInt64(getpid())
    var generator = SeededGenerator(seed: seed)
    let clean = try cleanRun(milliseconds: 3000)
    let log = DiskLog(path: clean.logPath)
    #expect(log.counted > 60)
    let kinds = [[], ["early"], ["mono"], ["early"], ["split"], ["early", "mono"]]
    var jobs = (0..<scale.kills).map { number in
      let options = kinds[number % kinds.count]
      let first = options.contains("early") ? 400 : 3300
      return Probe.Job(
        killAfterMilliseconds: Int.random(in: first...(first + 3700), using: &generator),
        options: options)
    }
    let shift = Int.random(in: 0..<scale.pointStride, using: &generator)
    jobs += stride(from: 1 + shift, to: log.counted + 3, by: scale.pointStride).map {
      Probe.Job(fault: "any@\($0)=crash")
    }
    jobs += stride(from: 1 + shift, to: log.writes + 3, by: scale.pointStride).map {
      Probe.Job(fault: "write@\($0)=half")
    }
    var check = TakeCheck()
    var number = 0
    Probe.run(jobs, parallel: scale.parallel) { probe in
      #expect([0, 137].contains(probe.exitCode), "seed \(seed), \(probe.job): \(probe.words)")
      let before = check.problems.count
      check.look(at: probe.output, usesPrograms: number % scale.readerStride == 0)
      if let seconds = probe.secondsRecorded {
        check.measureLoss(
          of: probe.output, after: seconds, mono: probe.job.options.contains("mono"))
      }
      check.recover(probe.output)
      if check.problems.count > before { Issue.record("seed \(seed): \(probe.job)") }
      number += 1
    }
    #expect(check.worstLoss <= scale.mostLost, "seed \(seed)")
    report(check, "\(jobs.count) processes killed (seed \(seed))")
  }

  @Test(
    "each call that changes the disk fails in each way: words, and never a wrong file",
    .enabled(if: CrashScale.isAsked))
  func faults() throws {
    let clean = try cleanRun(milliseconds: 1000)
    let log = DiskLog(path: clean.logPath)
    let errors = ["EIO", "ENOSPC", "EROFS", "EACCES", "EDQUOT"]
    var jobs: [Probe.Job] = []
    for (place, call) in stride(from: 1, to: log.counted, by: scale.faultStride).enumerated() {
      let error = errors[place % errors.count]
      jobs.append(Probe.Job(fault: "any@\(call)=\(error)", milliseconds: 1000))
      jobs.append(Probe.Job(fault: "any@\(call)+=\(error)", milliseconds: 1000))
    }
    let harmless = stride(from: 1, to: log.writes, by: scale.faultStride).flatMap {
      ["write@\($0)=short", "write@\($0)=EINTR"]
    }
    jobs += (harmless + ["write@1+=short"]).map { Probe.Job(fault: $0, milliseconds: 1000) }
    var check = TakeCheck()
    var silent: [String] = []
    Probe.run(jobs, parallel: scale.parallel) { probe in
      let isHarmless = probe.job.fault.hasSuffix("short") || probe.job.fault.hasSuffix("EINTR")
      #expect(isHarmless ? probe.exitCode == 0 : [0, 3].contains(probe.exitCode), "\(probe.job)")
      let hasWords = ["warning", "refused"].contains { probe.words.contains($0) }
      // A failure that costs nothing, such as room that is not given back, needs no word.
      let isHarmed =
        probe.exitCode != 0 || Files.below(probe.output).contains { $0.hasSuffix(".part") }
      if isHarmed && !hasWords { silent.append(probe.job.fault) }
      let before = check.problems.count
      check.look(at: probe.output, usesPrograms: false)
      check.recover(probe.output)
      if check.problems.count > before { Issue.record("\(probe.job): \(probe.words)") }
    }
    #expect(silent == [], "failures without words")
    report(check, "\(jobs.count) failing disks")
  }

  @Test(
    "the power is cut at any moment: what was synced holds, whatever became of the rest",
    arguments: CrashScale.isAsked ? [[], ["early"]] : [[]])
  func powerCuts(options: [String]) throws {
    let clean = try cleanRun(milliseconds: 3000, options: options)
    let log = DiskLog(path: clean.logPath)
    let sound = try #require(Files.below(clean.output).first { $0.hasSuffix(".wav") })
    let reference = Array(Files.bytes(sound).dropFirst(TakeCheck.audioOffset))
    let seed = UInt64(getpid())
    var generator = SeededGenerator(seed: seed)
    var disk = DiskModel()
    let scratch = clean.folder + "/cut"
    var (killed, cut) = (TakeCheck(), TakeCheck())
    let cuts = options.isEmpty ? scale.powerCuts : scale.draftCuts
    let perCall = Double(cuts) / Double(log.operations.count)
    var due = 0.0
    var states = 0
    for (place, operation) in log.operations.enumerated() {
      disk.apply(operation)
      let words = "seed \(seed), after call \(place + 1)"
      Self.lay(disk.seen, in: scratch)
      killed.look(at: scratch, usesPrograms: false, reference: reference)
      if !killed.problems.isEmpty { Issue.record("\(words), seen") }
      due += perCall
      while due >= 1 {
        due -= 1
        states += 1
        let luck = [0, 0, 0.5, 0.9, 1][states % 5]
        let left = disk.afterPowerCut(luck: luck, using: &generator).filter {
          // What was never synced may be anything; it must not bear a name that says whole.
          $0.value.isSynced || !$0.key.hasSuffix(".part")
        }
        Self.lay(left, in: scratch)
        let before = cut.problems.count
        cut.hasHoles = luck > 0
        cut.look(
          at: scratch, usesPrograms: states % (10 * scale.readerStride) == 0, reference: reference)
        if states % scale.recoverStride == 0 { cut.recover(scratch, hasHoles: luck > 0) }
        if cut.problems.count > before { Issue.record("\(words), luck \(luck)") }
      }
    }
    report(killed, "\(log.operations.count) moments of a kill")
    report(cut, "\(states) cuts of the power (seed \(seed)) \(options.joined())")
  }

  /// Puts files into a folder of their own.
  private static func lay(_ files: [String: DiskModel.File], in folder: String) {
    _ = system("rm -rf '\(folder)' && mkdir -p '\(folder)'")
    for (path, file) in files {
      let name = path.split(separator: "/").last ?? ""
      Files.write(file.bytes, to: "\(folder)/\(name)")
    }
  }
}
