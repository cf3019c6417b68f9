internal import Sealing
public import Units

extension PeerNode {
  /// Something came under this host's own id, from another run: a twin, once it has proved itself.
  mutating func meetTwin(
    _ opened: OpenedDatagram, of run: PeerRun, datagram: ReceivedDatagram, at now: HostInstant
  ) -> [PeerAction] {
    switch opened.message {
    case .beacon(let beacon):
      if opened.isProven { return judge(beacon, of: run.incarnation) }
      let actions = hint(run, path: datagram.path.with(port: beacon.unicastPort), at: now)
      proof.note(beacon, of: run)
      return actions
    case .challenge(let nonce):
      return answer(nonce, on: datagram.path, at: now)
        + (opened.isProven ? [] : hint(run, path: datagram.path, at: now))
    case .challengeEcho(let nonce):
      let beacon = proof.beacon(of: run)
      guard proof.accepts(nonce, of: run, at: now) else {
        refusals.count(.unexpected)
        return []
      }
      return meetTwin(by: opened.header, path: datagram.path, saying: beacon)
    default: return []
    }
  }

  private mutating func meetTwin(
    by echo: WireHeader, path: PathAddress, saying beacon: Beacon?
  ) -> [PeerAction] {
    do { try opener.prove(echo) } catch { refusals.count(error) }
    let isNew = twins.meet(echo.incarnation)
    return (isNew ? [.note(.twin(echo.incarnation, at: path))] : [])
      + (beacon.map { judge($0, of: echo.incarnation) } ?? [])
  }

  /// Takes another id where it is this host's turn to.
  private mutating func judge(_ beacon: Beacon, of twin: Incarnation) -> [PeerAction] {
    let mine = TwinWatch.Claim(
      activity: activity, uptimeSeconds: uptimeSeconds(at: lastNow),
      incarnation: configuration.incarnation)
    let theirs = TwinWatch.Claim(
      activity: beacon.activity, uptimeSeconds: beacon.uptimeSeconds, incarnation: twin)
    guard mine.yields(to: theirs), !isRekeying else { return [] }
    isRekeying = true
    let other = PeerID(from: &generator)
    return [.note(.rekeyed(former: me, now: other)), .rekey(other)]
  }

  /// How long this run has lasted, in whole seconds.
  func uptimeSeconds(at now: HostInstant) -> UInt32 {
    UInt32(clamping: (now - start).wholeNanoseconds / 1_000_000_000)
  }

  /// The node that goes on under the id `peer`, which ``PeerAction/rekey(_:)`` asked for: a new run,
  /// which knows the time, the takes and what this host says of itself. Links to others are to be
  /// closed; scheduled actions stay.
  public func rekeyed(as peer: PeerID, at now: HostInstant) -> PeerNode {
    var generator = generator
    let incarnation = Incarnation(
      count: configuration.incarnation.count,
      nonce: UInt32(truncatingIfNeeded: generator.next()))
    // Whoever led under the old id leads no longer: others may have gone on with the timeline.
    var former = self
    former.time.giveWay(at: now)
    var node = PeerNode(
      configuration: configuration.rekeyed(
        peer: peer, incarnation: incarnation, stored: former.storedTime),
      generator: generator, at: now)
    node.agenda = agenda
    node.takeLedger = takeLedger
    node.board = board
    node.board.stopAll()
    node.greeting = nil
    node.setChannels(channels)
    node.places = places
    _ = node.setActivity(activity, at: now)
    return node
  }

  /// Whether `run` is that run of its peer which is taken for the living one.
  public func expects(_ run: PeerRun) -> Bool {
    peersByID[run.peer]?.incarnation == run.incarnation
  }
}
