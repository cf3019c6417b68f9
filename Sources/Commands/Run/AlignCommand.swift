internal import Control
internal import FileIO
internal import Glibc
internal import TakeAlignment

/// `recorder align`: a take's files onto one timeline.
struct AlignCommand {
  private let line: ParsedLine
  private let terminal: Terminal
  private let aligner: TakeAligner

  /// - Parameter inputs: what is aligned instead of what the line names.
  init(line: ParsedLine, terminal: Terminal, inputs: [String]? = nil) throws(UsageError) {
    self.line = line
    self.terminal = terminal
    var options = try Self.options(line)
    if let inputs { options.inputs = inputs }
    aligner = TakeAligner(options)
  }

  private static func options(_ line: ParsedLine) throws(UsageError) -> AlignmentOptions {
    var options = AlignmentOptions(inputs: line.operands)
    options.output = line.value("--out")
    options.reference = line.value("--reference")
    options.replacesExisting = line.has("--force")
    options.checksBySound = line.has("--check")
    if let by = line.value("--by") {
      guard let method = AlignmentOptions.Method(rawValue: by) else {
        throw .badValue(option: "--by", value: by, wanted: "clock, timecode or sound")
      }
      options.method = method
    }
    if let only = line.value("--only") {
      guard only == "report" else {
        throw .badValue(option: "--only", value: only, wanted: "report")
      }
      options.onlyReports = true
    }
    options.page = line.value("--html")
    options.isPoly = line.has("--poly")
    for word in (line.value("--export") ?? "").split(separator: ",").map(String.init) {
      guard AlignmentOptions.editors.contains(word) else {
        throw .badValue(
          option: "--export", value: word,
          wanted: AlignmentOptions.editors.joined(separator: ", "))
      }
      options.exports.append(word)
    }
    if let format = line.value("--format") {
      guard let chosen = RenderFormat(rawValue: format) else {
        throw .badValue(option: "--format", value: format, wanted: "24 or float")
      }
      options.format = chosen
    }
    return options
  }

  func run() throws(UsageError) -> ExitCode {
    let report: AlignmentReport
    do throws(AlignmentError) {
      var signs = AlignmentSigns()
      let began = Self.seconds
      report = try aligner.run { progress in
        let sign = signs.sign(of: progress, atSeconds: Self.seconds - began)
        if terminal.isTalkWatched {
          terminal.sign(sign.text)
        } else if let step = sign.step {
          terminal.say(step)
        }
      }
      terminal.sign("")
    } catch {
      terminal.sign("")
      terminal.say("recorder: \(error)")
      if case .noSuchInput(let path) = error, let number = UInt16(path) {
        terminal.say("To align take \(number) of the session: recorder align \(number) --pull")
      }
      if case .unknownReference = error { return .usage }
      if case .interrupted = error { return .interrupted }
      return .failed
    }
    return show(report)
  }

  private func show(_ report: AlignmentReport) -> ExitCode {
    if let target = line.value("--json") {
      do {
        try write(try JSONText.of(report), to: target)
      } catch {
        terminal.say("recorder: cannot write the report: \(error)")
        return .failed
      }
    }
    if line.value("--json") != "-" {
      for text in AlignmentView(report: report).lines { terminal.print(text) }
    }
    if !report.output.isEmpty {
      terminal.say("Next: open the files of \(ShellWord.quoted(report.output)) in your editor")
    }
    return report.files.values.contains { $0.verdict == .bad } ? .someHosts : .success
  }

  private struct Failure: Error, CustomStringConvertible {
    let path: String
    let code: Int32
    var description: String { "\"\(path)\": \(SystemFailure(code: code))" }
  }

  private func write(_ text: String, to path: String) throws {
    guard path != "-" else { return terminal.print(text) }
    guard let file = fopen(path, "we") else { throw Failure(path: path, code: errno) }
    let isWritten = fputs(text + "\n", file) >= 0
    guard fclose(file) == 0, isWritten else { throw Failure(path: path, code: errno) }
  }

  /// A clock that only goes forward, in seconds.
  private static var seconds: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
  }
}
