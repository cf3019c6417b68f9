internal import CaptureEngine
internal import Control
internal import FileIO
internal import Glibc
internal import HostClock
internal import PeerClock
internal import Recording
internal import Units

// What this host is called.
extension DaemonService {
  /// The longest label, in bytes: as a beacon carries it.
  static let longestLabel = 64

  /// Takes note of the label that the daemon runs under.
  func noteLabel() {
    var file = LabelFile.load(from: options.stateDirectory)
    let isNew = file.note(label, at: hostClock.unixNanoseconds())
    formerLabels = file.former(than: label)
    if isNew { keep(file) }
  }

  private func keep(_ file: LabelFile) {
    do throws(SystemFailure) {
      try file.save(in: options.stateDirectory)
    } catch {
      say("could not keep this host's label: \(error)")
    }
  }

  /// Calls this host otherwise: it begins anew under the other label, as on SIGHUP.
  func rename(_ request: ControlRequest) async throws(Refusal) -> OrderReport {
    guard let wanted = request.text, !wanted.isEmpty, wanted.utf8.count <= Self.longestLabel,
      !wanted.contains(where: \.isNewline)
    else {
      throw Refusal(
        reason: "a label has 1 to \(Self.longestLabel) bytes on one line", exitCode: .usage)
    }
    guard options.label == nil else {
      throw Refusal(
        reason: "this host's label is set with --name or in its settings; change it there "
          + "(recorder config --show-origin)", exitCode: .configuration)
    }
    guard isIdle else {
      throw Refusal(
        reason: "a host is renamed while it is idle, since its files bear its label; run: "
          + "recorder disarm", exitCode: .wrongState)
    }
    var file = LabelFile.load(from: options.stateDirectory)
    file.chosen = wanted
    keep(file)
    await note(.host, .info, "\(label) is called \(wanted) from now on")
    var report = OrderReport(verb: .name)
    report.notes = ["it was called \(label)"]
    report.hosts = [HostAnswer(peer: me, label: wanted, outcome: .done, state: "idle")]
    Task {
      // After the answer is on its way.
      do {
        try await Task.sleep(for: .milliseconds(200))
        kill(getpid(), SIGHUP)
      } catch {
        return
      }
    }
    return report
  }
}
