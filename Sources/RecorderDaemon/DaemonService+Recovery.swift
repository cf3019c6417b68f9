internal import FileIO
internal import TakeRecovery
internal import Units

extension DaemonService {
  /// Makes whole what this host was recording when it was interrupted: its own files, which nobody
  /// writes any more. Aside from everything else, since it may take its time.
  nonisolated func recoverInterrupted(of own: PeerID) {
    let recoveries = ([options.output] + (options.mirror.map { [$0] } ?? [])).map {
      TakeRecovery(inputs: [$0], own: own)
    }
    disks.recovery.add { [weak self] in
      for recovery in recoveries { self?.run(recovery) }
    }
  }

  private nonisolated func run(_ recovery: TakeRecovery) {
    do throws(RecoveryError) {
      for file in try recovery.run().files { tell(file) }
    } catch {
      // A host that never recorded has no folder yet.
      if case .noSuchInput = error { return }
      say("could not look for interrupted takes: \(error)")
    }
  }

  private nonisolated func tell(_ file: RecoveryReport.File) {
    switch file.outcome {
    case .recovered:
      let details = (file.assumed + file.done).joined(separator: "; ")
      say("recovered \(file.path), \(file.frames) frames: \(details)")
    case .failed: say("could not recover \(file.reason ?? file.path)")
    case .recoverable, .whole, .busy, .empty, .undone: break
    }
  }
}
