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
    let isNew = labelFile.note(label, at: hostClock.unixNanoseconds())
    formerLabels = labelFile.former(than: label)
    guard isNew else { return }
    let (file, directory) = (labelFile, options.stateDirectory)
    disks.state.add { [weak self] in
      if let failure = Self.failure(keeping: file, in: directory) { self?.say(failure) }
    }
  }

  private static func failure(keeping file: LabelFile, in directory: String) -> String? {
    do throws(SystemFailure) {
      try file.save(in: directory)
      return nil
    } catch {
      return "could not keep this host's label: \(error)"
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
    labelFile.chosen = wanted
    let (file, directory) = (labelFile, options.stateDirectory)
    let kept = await disks.state.value(within: Disks.patience) {
      Self.failure(keeping: file, in: directory)
    }
    // It begins anew by what the disk has.
    let failure = kept ?? DiskSilence(folder: directory, patience: Disks.patience).description
    if let failure { throw Refusal(reason: failure, exitCode: .failed) }
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
