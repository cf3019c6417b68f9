internal import HostClock
internal import Realtime
internal import Recording
internal import Units

/// The writers of one take: one for each place that it goes to.
struct TakeWriters {
  let opening: TakeOpening
  private let writers: [TakeWriter]
  private let rate: SampleRate
  /// Failures and warnings that have been told already.
  private var told: Set<String> = []
  private var toldGaps = 0
  private var lags: [WriterLag]
  /// Up to where may be written, and might be before that was told last.
  private var allowed: (now: SampleIndex?, before: SampleIndex?)
  private(set) var isEnding = false

  init(opening: TakeOpening, context: EngineContext, stream: CaptureStream, shape: CardShape) {
    self.opening = opening
    rate = shape.rate
    lags = context.outputs.map { _ in WriterLag() }
    writers = context.outputs.map {
      TakeWriter(output: $0, opening: opening, context: context, stream: stream, shape: shape)
    }
  }

  func post(_ content: TakeItem.Content, at index: SampleIndex) {
    for writer in writers { writer.post(TakeItem(index: index, content: content)) }
  }

  /// All before `index` may be written; at once, where `isDue`.
  mutating func allow(upTo index: SampleIndex, isDue: Bool) {
    allowed = (index, allowed.now)
    for writer in writers { writer.allow(upTo: index, isDue: isDue) }
  }

  func hold(at index: SampleIndex) { for writer in writers { writer.hold(at: index) } }

  mutating func end(_ end: TakeEnd) {
    isEnding = true
    for writer in writers { writer.end(end) }
  }

  /// How far each has come, by the frames of the stream that are safe on its disk; nothing where
  /// it has failed.
  var safe: [SampleIndex?] {
    writers.map { writer in
      switch writer.now.outcome {
      case .running: writer.now.safe ?? SampleIndex(.min)
      case .closed: SampleIndex(.max)
      case .failed: nil
      }
    }
  }

  /// What became of each, where it failed.
  var failures: [CaptureError] {
    writers.compactMap { if case .failed(let error) = $0.now.outcome { error } else { nil } }
  }

  /// Says what becomes of the draft in folder number `place`.
  func leave(_ place: Int, _ fate: TakeWriter.Fate) { writers[place].leave(fate) }

  func leaveAll(_ fate: TakeWriter.Fate) { for writer in writers { writer.leave(fate) } }

  func join() { for writer in writers { writer.join() } }

  /// How the take as a whole stands: it goes on while one place goes on.
  enum Standing { case running, closed, failed }

  var standing: Standing {
    let outcomes = writers.map { $0.now.outcome }
    if outcomes.contains(.running) { return .running }
    return outcomes.contains(.closed) ? .closed : .failed
  }

  /// Tells `context` how the writers do, and what has not been told yet of what went wrong.
  mutating func report(to context: EngineContext) {
    let gaps = writers.map(\.now.gaps).max() ?? 0
    context.update { $0.gaps += gaps - toldGaps }
    toldGaps = gaps
    let now = writers.map { (output: $0.output, progress: $0.now) }
    let best = now.first { if case .failed = $0.progress.outcome { false } else { true } } ?? now[0]
    measure(now.map(\.progress))
    for (output, progress) in now { warn(context, output, progress) }
    context.update { snapshot in
      snapshot.recordedFrames = best.progress.frames
      snapshot.tailExcess =
        best.progress.excess > .zero ? rate.duration(of: best.progress.excess) : nil
      snapshot.folder = best.progress.folder ?? snapshot.folder
      snapshot.writers = now.indices.map { status($0, now[$0].output, now[$0].progress) }
    }
  }

  /// One that the disk keeps waiting does not say so itself, nor one whose files do not open. It
  /// is measured by what it might have written for a while: much may come at once, where the card
  /// was not read in time.
  private mutating func measure(_ progress: [TakeWriter.Progress]) {
    guard let allowed = allowed.before else { return }
    for (place, one) in progress.enumerated() where one.outcome == .running {
      lags[place].look(next: one.next ?? opening.beginning.first, allowed: allowed)
    }
  }

  private mutating func warn(
    _ context: EngineContext, _ output: String, _ progress: TakeWriter.Progress
  ) {
    for text in progress.warnings where told.insert(text).inserted { context.warn(text) }
    guard case .failed(let error) = progress.outcome, told.insert(output).inserted else { return }
    let goesOn = standing == .failed ? "" : "; the take goes on in the other folder"
    context.warn("recording to \(output) has stopped: \(error)\(goesOn)")
  }

  private func status(
    _ place: Int, _ output: String, _ progress: TakeWriter.Progress
  ) -> HostReport.Writer {
    var failure: String?
    if case .failed(let error) = progress.outcome { failure = error.description }
    return HostReport.Writer(
      folder: progress.folder ?? output,
      behindSeconds: rate.duration(of: lags[place].now).inSeconds,
      mostBehindSeconds: rate.duration(of: lags[place].most).inSeconds,
      slowestWriteMs: progress.slowestWrite.inSeconds * 1000, failure: failure)
  }
}
