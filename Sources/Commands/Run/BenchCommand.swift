internal import CaptureBench
internal import Control
internal import Glibc
internal import Units

/// `recorder bench capture`: what recording costs.
struct BenchCommand {
  private let terminal: Terminal
  private let asJSON: Bool
  private let bench: CaptureBench

  init(
    line: ParsedLine, terminal: Terminal, environment: (String) -> String?
  ) throws(UsageError) {
    guard line.operands.first == "capture" else {
      throw .unwantedOperand(line.operands.first ?? "", command: line.command.name)
    }
    self.terminal = terminal
    asJSON = line.has("--json")
    let reader = OptionReader(line: line)
    let channels = try reader.number("--channels", in: 1...64)
    let rate = try reader.number("--rate", in: 8000...192_000)
    var cases = BenchCase.usual
    if channels != nil || rate != nil {
      cases = [BenchCase(channels: channels ?? 2, rate: SampleRate(hertz: rate ?? 48_000))]
    }
    bench = CaptureBench(
      cases: cases,
      length: try reader.duration("--seconds", in: .seconds(1) ... .seconds(3600)) ?? .seconds(60),
      folder: try reader.text("--folder", upToBytes: 4096) ?? environment("TMPDIR") ?? "/tmp")
  }

  func run() -> ExitCode {
    let answer = AnswerOutput(terminal: terminal, asJSON: asJSON)
    do throws(BenchError) {
      let report = try bench.run { terminal.say($0) }
      let code: ExitCode = report.isWhole ? .success : .failed
      if asJSON { return answer.printJSON(report, code) }
      for text in Self.lines(report) { terminal.print(text) }
      return code
    } catch {
      return answer.fail(error.description, .failed)
    }
  }

  private static func lines(_ report: BenchReport) -> [String] {
    var table = TextTable(rightAligned: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    table.add([
      "CARD", "SECONDS", "GAPS", "CPU", "ARECORD", "RATIO", "MEMORY", "OF IT RING", "ARECORD",
      "MOST BEHIND", "SLOWEST WRITE", "ARECORD LOST",
    ])
    for one in report.cases {
      table.add([
        "\(one.channels) ch \(one.sampleRateHertz) Hz", Decimals.text(one.seconds, places: 0),
        "\(one.gaps)", Decimals.text(one.recorder.cpuPercent, places: 2) + " %",
        Decimals.text(one.arecord.cpuPercent, places: 2) + " %",
        Decimals.text(one.cpuRatio, places: 2), Decimals.bytes(one.recorder.memoryBytes),
        Decimals.bytes(one.ringBytes), Decimals.bytes(one.arecord.memoryBytes),
        Decimals.text(one.mostBehindSeconds, places: 2) + " s",
        Decimals.text(one.slowestWriteMs, places: 0) + " ms", "\(one.arecordLost) frames",
      ])
    }
    let warnings = report.cases.flatMap(\.warnings)
    return table.lines + ["CPU is of one of \(report.cores) cores"] + warnings
  }
}
