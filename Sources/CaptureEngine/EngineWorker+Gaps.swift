internal import HostClock
internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

// Gaps.
extension EngineWorker {
  /// Takes in what the capture thread has told; and the writers go no further than that, so that
  /// a gap is known before its silence is written.
  func follow() {
    let end = stream.ring.end
    for news in follower.follow() { say(news) }
    sayWhoKeepsIt()
    for gap in follower.endedGaps() { settle(gap) }
    if let growing = follower.ledger.growing {
      writers?.post(.grows(growing), at: growing.end)
      draft?.post(.grows(growing), at: growing.end)
    }
    let now = context.clock.now()
    // Much at once is not made to wait.
    let isMuch = end - lastEnd > shape.rate.frames(in: .seconds(1))
    let isDue = isMuch || now - lastWriting >= Self.writing
    lastEnd = end
    if isDue { lastWriting = now }
    writers?.allow(upTo: end, isDue: isDue)
    draft?.allow(upTo: end, isDue: isDue)
  }

  /// A card that came back may have found another master meanwhile.
  private func sayWhoKeepsIt() {
    let keeper = stream.isGone.load(ordering: .relaxed) ? tenure.keeper : nil
    defer { toldKeeper = keeper }
    guard let keeper, keeper != toldKeeper else { return }
    context.warn(
      "the card is there again, but \(keeper) has taken it and keeps it; end that program, or "
        + "have it use another card")
  }

  private func say(_ news: StreamFollower.News) {
    switch news {
    case .lost(_, let isPiece): if !isPiece { context.update { $0.gaps += 1 } }
    case .stopped(let stop):
      context.warn(
        "the card's stream stopped and began anew (\(stop.cause.word)); no frame was lost, "
          + "± \(stop.boundFrames)")
      writers?.post(.stop(stop), at: SampleIndex(stop.index))
    case .cardGone: context.warn("the card is gone; silence stands for it until it comes back")
    case .cardBack: context.warn("the card is back, and goes on in the same take")
    case .unstamped:
      context.warn(
        "the card's driver gives no time stamps: its frames are placed by this host's readings, "
          + "and the bound is wider")
    case .farFromNominal(let excess):
      context.warn(
        "the card runs \(Int(excess.partsPerMillion.rounded())) ppm off its rate: that is a fault "
          + "of the card or its driver, not of its crystal; try another rate")
    }
  }

  /// Writes down a gap that grows no more.
  func settle(_ gap: StreamGap) {
    context.warn(ofLoss: "\(gap.words); silence stands for them")
    writers?.post(.gap(gap), at: gap.end)
    draft?.post(.gap(gap), at: gap.end)
  }
}
