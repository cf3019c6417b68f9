internal import ALSA
internal import BroadcastWave
internal import Glibc
internal import HostClock
internal import HostSensors
internal import Realtime
internal import Recording
internal import Synchronization
internal import Units

// The card: opened with its ring and its threads, and closed with them.
extension CaptureEngine {
  func open() throws(CaptureError) -> CardShape {
    if let shape = running.withLock({ $0?.shape }) { return shape }
    let claimed = try claimCard()
    do {
      return try open(claimed)
    } catch {
      claimed.tenure.release()
      throw error
    }
  }

  /// Finds the card, and asks for it where another program has it.
  private func claimCard() throws(CaptureError) -> (pcm: String, tenure: CardTenure) {
    do {
      let pcm = try CardChoice.pcm(named: input.name)
      return (pcm, CardTenure(pcm: pcm))
    } catch {
      throw .card(error)
    }
  }

  private func openCard(_ pcm: String, _ tenure: CardTenure) throws(CaptureError) -> PCMCapture {
    var waited = tenure.wasGivenUp ? 0 : CardClaim.patienceMilliseconds
    while true {
      do {
        return try PCMCapture(
          opening: pcm, rate: input.rate, channels: wantedChannels, clock: context.clock)
      } catch {
        guard case .busy = error.reason else { throw .card(error) }
        if let keeper = tenure.keeper { throw .kept(pcm: pcm, by: keeper) }
        guard waited < CardClaim.patienceMilliseconds else { throw .card(error) }
        usleep(50_000)
        waited += 50
      }
    }
  }

  private func open(
    _ found: (pcm: String, tenure: CardTenure)
  ) throws(CaptureError) -> CardShape {
    var card = try openCard(found.pcm, found.tenure)
    let count = card.channels
    let kept = (input.channels ?? .first(count)).channels(of: count).map { $0 - 1 }
    if let track = input.tracks.first(where: { !kept.contains($0.channel - 1) }) {
      throw .unknownTrack(track, recorded: kept.map { $0 + 1 })
    }
    let shape = CardShape(
      name: input.name, pcm: card.name, format: card.format, rate: card.rate,
      cardChannels: count, kept: kept, significantBits: card.significantBits,
      encoding: context.settings.encoding)
    let frames = shape.rate.frames(in: input.preRoll + CaptureInput.reserve).value
    try checkMemory(bytes: frames * Int64(shape.bytesPerFrame))
    // A large ring takes its time to be touched, while a running card would not be read.
    let ring = FrameRing(capacity: Int(frames), bytesPerFrame: shape.bytesPerFrame)
    do {
      try card.start()
    } catch {
      throw .card(error)
    }
    let stream = CaptureStream(ring: ring, rate: shape.rate, bell: context.bell)
    start(stream, card: card, shape: shape, tenure: found.tenure)
    context.update { snapshot in
      snapshot = CaptureSnapshot(keeping: snapshot.state)
      snapshot.input = shape.description
      snapshot.ringBytes = Int64(ring.byteCount)
      snapshot.preRoll = input.preRoll
      snapshot.bytesPerSecond = Int64(shape.waveFormat.bytesPerFrame * shape.rate.hertz)
    }
    return shape
  }

  private var wantedChannels: PCMChannels? {
    switch input.channels {
    case nil: nil
    case .first(let count): .exactly(count)
    case .these(let channels): .atLeast(channels.max() ?? 1)
    }
  }

  private func start(
    _ stream: CaptureStream, card: consuming PCMCapture, shape: CardShape, tenure: CardTenure
  ) {
    let again = CardAgain(name: input.name, pcm: shape.pcm)
    let loop = CaptureLoop(card: card, stream: stream, clock: context.clock) {
      let pcm = again.pcm()
      if let pcm { tenure.move(to: pcm) }
      return pcm
    }
    let box = Mutex<CaptureLoop?>(loop)
    let holder = LoopHolder(box)
    let reader = RealtimeThread(name: "capture", priority: 50) { holder.run() }
    let context = context
    let worker = RealtimeThread(name: "engine") {
      EngineWorker(context: context, stream: stream, shape: shape, tenure: tenure).run()
    }
    running.withLock {
      $0 = Running(
        stream: stream, shape: shape, tenure: tenure, reader: reader, worker: worker)
    }
  }

  /// Closes the card, and leaves the host in `state`.
  func close(_ state: HostState) {
    let ended = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let ended else { return context.update { $0 = CaptureSnapshot(keeping: state) } }
    ended.stream.shallStop.store(true, ordering: .relaxed)
    context.bell.ring()
    ended.reader.join()
    ended.worker.join()
    ended.tenure.release()
    context.update { $0 = CaptureSnapshot(keeping: state) }
  }

  /// Half of the free memory is the most that a ring may have.
  private func checkMemory(bytes: Int64) throws(CaptureError) {
    guard let free = sensors.availableMemoryBytes(), bytes > free / 2 else { return }
    throw .memory(ringBytes: bytes, freeBytes: free)
  }
}
