internal import CaptureEngine
internal import Control
internal import EventLoop
internal import HostClock
internal import PeerClock
internal import PeerCore
internal import Recording
internal import Systemd
internal import Units

// What comes from elsewhere.
extension DaemonService {
  func listenToCommands() async {
    for await (sender, command) in clock.commands {
      switch command.type {
      case FleetOrder.type:
        guard let order = FleetCoding.decode(FleetOrder.self, from: command.payload) else {
          continue
        }
        // Closing a take may last; the next order must not wait for it.
        Task {
          let answer = await carryOut(order)
          await reply(FleetAnswer(number: order.number, answer: answer), to: sender)
        }
      case FleetAnswer.type:
        guard let answer = FleetCoding.decode(FleetAnswer.self, from: command.payload) else {
          continue
        }
        rollCalls[answer.number]?.take(answer.answer, from: sender)
        reports[sender]?.report.state = answer.answer.state
      case Self.eventType: hear(command.payload, from: sender)
      case FilePiece.type: take(command.payload)
      case FileFetch.type:
        // Disks may be slow; the next order must not wait for them.
        Task { await serve(command.payload, to: sender) }
      default: continue
      }
    }
  }

  private func reply(_ answer: FleetAnswer, to peer: PeerID) async {
    do {
      try await clock.send(
        Command(type: FleetAnswer.type, payload: FleetCoding.encode(answer)), to: peer)
    } catch {
      say("could not answer \(peer.short): \(error)")
    }
  }

  func listenToStatus() async {
    for await status in clock.statusUpdates {
      guard let value = status.entries[HostStatusKey.report],
        let report = FleetCoding.decode(HostReport.self, from: value)
      else { continue }
      reports[status.peer] = (report, hostClock.now())
      if let theirs = report.book { changeBook { $0.learn(theirs) } }
      if let take = report.take, report.state == "rolling" { spend(take) }
      if let theirs = report.forgotten { await learn(theirs) }
    }
  }

  func listenToConnections() async {
    for await event in clock.connectionEvents {
      if connected[event.peer] != event.state {
        say("\(name(of: event.peer)) is \(event.state.rawValue)")
      }
      if event.state == .connected { hasLeft.remove(event.peer) }
      connected[event.peer] = event.state
      for number in rollCalls.keys.sorted() {
        if event.state == .disconnected {
          rollCalls[number]?.lose(event.peer)
        } else {
          rollCalls[number]?.hear(event.peer)
        }
      }
      lostSince[event.peer] =
        event.state == .disconnected ? lostSince[event.peer] ?? hostClock.now() : nil
      await watchHealth()
    }
  }

  func listenToPeers() async {
    for await peers in clock.peers {
      for peer in peers { labels[peer.id] = peer.label }
    }
  }

  func name(of peer: PeerID) -> String {
    // A peer that is barely known has no label yet.
    let told = [labels[peer], reports[peer]?.report.label].compactMap(\.self)
    return told.first { !$0.isEmpty } ?? peer.short
  }

  func listenToExchanges() async {
    for await record in clock.exchanges {
      let exchange = record.exchange
      engine?.log(
        .exchange(
          TimingLogExchange(
            t1: exchange.t1, t2: exchange.t2, t3: exchange.t3, t4: exchange.t4,
            receiveKind: exchange.receiveKind.word, transmitKind: exchange.transmitKind.word,
            coordinator: record.coordinator)))
    }
  }

  func listenToChanges() async {
    for await change in clock.changes {
      let now = hostClock.now()
      switch change {
      case .coordinator(let peer?):
        say("the reference is \(peer == me ? "this host" : name(of: peer))")
        engine?.log(.coordinator(TimingLogCoordinator(host: now, coordinator: peer)))
      case .coordinator(nil): say("no reference is heard: holding over")
      case .session(let session, let generation):
        await publishReport()
        say("session \(session.id.short), clock generation \(generation)")
        engine?.log(
          .generation(
            TimingLogGeneration(
              host: now, generation: generation, reason: "session \(session.id.short)")))
      case .identity(let peer, let former):
        adoptIdentity(peer)
        await note(
          .twin, .warning,
          "another host lived under this host's id \(former.short): this one is "
            + "\(peer.short) from now on",
          next: "leave peerclock.json out of disk images")
      case .compared(let link): compare(link)
      case .note(let text): say(text)
      }
    }
  }

  private func compare(_ link: SessionLink) {
    say(link.description)
    engine?.log(
      .sessionLink(
        TimingLogSessionLink(
          host: link.host, session: link.from, shared: link.fromInstant, otherSession: link.to,
          otherShared: link.toInstant, skewPartsPerMillion: link.skew.partsPerMillion,
          boundNanoseconds: link.boundNanoseconds)))
  }

  /// Only while idle does the clock take another id: the engine, which names files by it, has
  /// nothing open.
  private func adoptIdentity(_ peer: PeerID) {
    me = peer
    engine?.shutDown()
    engine = options.input.map { makeEngine(input: $0) }
  }

  func reportRegularly() async {
    while !Task.isCancelled {
      disks.look()
      await noteEndIfNear()
      forgetLongLost()
      await watchHealth()
      keepRun()
      await stayAwake()
      tellServiceManager()
      await publishReport()
      do {
        let isBusy = engine.map { $0.snapshot.state != .idle } ?? false
        let pause = Duration.milliseconds(isBusy ? 500 : 1000)
        try await Task.sleep(for: watchdog.map { min(pause, $0 / 2) } ?? pause)
      } catch {
        return
      }
    }
  }
}
