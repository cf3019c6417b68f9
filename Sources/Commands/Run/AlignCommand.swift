internal import CLinux
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

  /// In bytes: from what on a block goes back to the system as soon as it is free, and how much of
  /// smaller ones is kept. The engine's buffers are of 1 MB and of 4 MB.
  private static let memory = (largeBlock: Int32(2_000_000), idle: Int32(16_000_000))

  func run() throws(UsageError) -> ExitCode {
    _ = linux_hold_memory(Self.memory.largeBlock, Self.memory.idle)
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
        try write(JSONText.of(report), to: target)
      } catch {
        terminal.say("recorder: cannot write the report \(ShellWord.quoted(target)): \(error)")
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

  private func write(_ text: String, to path: String) throws(SystemFailure) {
    if path == "-" { return terminal.print(text) }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return try send(text, to: path)
    }
    try FileIO.replace(path, with: Array((text + "\n").utf8), mode: 0o644, draft: ".part")
  }

  /// Writes to what is no file but a pipe or a device.
  private func send(_ text: String, to path: String) throws(SystemFailure) {
    guard let file = fopen(path, "we") else { throw .last }
    let isWritten = fputs(text + "\n", file) >= 0
    guard fclose(file) == 0, isWritten else { throw .last }
  }

  /// A clock that only goes forward, in seconds.
  private static var seconds: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
  }
}
