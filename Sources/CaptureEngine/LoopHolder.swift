internal import Synchronization

/// Hands a capture loop, which cannot be copied, over to its thread.
final class LoopHolder: Sendable {
  private let loop: Mutex<CaptureLoop?>

  init(_ loop: consuming Mutex<CaptureLoop?>) { self.loop = loop }

  func run() {
    let taken = loop.withLock { loop in
      loop.take()
    }
    guard let taken else { return }
    taken.run()
  }
}
