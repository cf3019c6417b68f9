internal import Control
internal import TakeAlignment

/// `recorder verify`: whether a take is what its hosts certify.
struct VerifyCommand {
  let line: ParsedLine
  let terminal: Terminal

  func run() -> ExitCode {
    var isWhole = true
    for folder in line.operands {
      let report: VerificationReport
      do throws(AlignmentError) { report = try TakeVerifier(folder: folder).run() } catch {
        terminal.say("recorder: \(error)")
        return .failed
      }
      isWhole = isWhole && report.holds
      if line.has("--json") {
        do { terminal.print(try JSONText.of(report)) } catch {
          terminal.say("recorder: \(error)")
          return .failed
        }
      } else {
        for text in Self.lines(report) { terminal.print(text) }
      }
    }
    return isWhole ? .success : .failed
  }

  private static func lines(_ report: VerificationReport) -> [String] {
    var lines = ["\(report.holds ? "✓" : "✗") \(report.folder)"]
    for host in report.hosts {
      let bounds = [host.headBoundNanoseconds, host.tailBoundNanoseconds].map { bound in
        bound.map { "±" + Decimals.time(nanoseconds: $0) } ?? "–"
      }
      let files = host.confirmedFiles == 1 ? "1 file" : "\(host.confirmedFiles) files"
      lines.append(
        "  \(host.faults.isEmpty ? "✓" : "✗") \(host.label.isEmpty ? host.name : host.label): "
          + "\(files) as recorded, head \(bounds[0]), tail \(bounds[1])")
      lines += host.faults.map { "      ✗ \($0)" } + host.remarks.map { "      ? \($0)" }
    }
    return lines
  }
}
