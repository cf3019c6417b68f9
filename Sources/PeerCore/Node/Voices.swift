internal import Units

/// What a peer claimed last, and when it was heard.
struct Voice: Sendable {
  let claim: Claim
  /// When the claim came; later things heard do not make it younger.
  let claimed: HostInstant
  var lastHeard: HostInstant

  /// Whether `peer`, whose voice it is, leads. Who led, slept and listens again still tells the
  /// term that it obeys, and that it hears no coordinator.
  func isLeading(_ peer: PeerID) -> Bool {
    claim.term?.peer == peer && claim.hearsCoordinator
  }
}

/// The voices of all peers: which of them live, which lead, and when the next one falls silent.
///
/// Of a hundred peers each is heard several times a second: what each datagram asks for is answered
/// without looking at all of them.
struct Voices: Sendable {
  /// How long a voice that is silent still lives.
  let silence: Duration
  private var byPeer: [PeerID: Voice] = [:]
  /// Those that claim to lead, live or not.
  private var leading: Set<PeerID> = []
  /// Those that hear a coordinator, live or not.
  private(set) var vouching: Set<PeerID> = []
  /// No voice falls silent before this, after the last ``settle(at:)``.
  private(set) var nextSilence: HostInstant?

  /// Begins without a voice; `silence` is positive.
  init(silence: Duration) { self.silence = silence }

  subscript(peer: PeerID) -> Voice? { byPeer[peer] }

  /// Takes note of a claim that `peer` makes now.
  mutating func put(_ claim: Claim, of peer: PeerID, at now: HostInstant) {
    let voice = Voice(claim: claim, claimed: now, lastHeard: now)
    let before = byPeer.updateValue(voice, forKey: peer)
    if before?.claim.hearsCoordinator ?? false != claim.hearsCoordinator {
      if claim.hearsCoordinator { vouching.insert(peer) } else { vouching.remove(peer) }
    }
    if voice.isLeading(peer) {
      leading.insert(peer)
    } else if !leading.isEmpty {
      leading.remove(peer)
    }
    watch(since: now)
  }

  /// Takes note that something else was heard from `peer`.
  mutating func touch(_ peer: PeerID, at now: HostInstant) {
    guard let place = byPeer.index(forKey: peer) else { return }
    byPeer.values[place].lastHeard = now
    watch(since: now)
  }

  mutating func remove(_ peer: PeerID) {
    if byPeer.removeValue(forKey: peer)?.claim.hearsCoordinator ?? false { vouching.remove(peer) }
    leading.remove(peer)
  }

  mutating func removeAll() { self = Voices(silence: silence) }

  /// Finds out when the next voice falls silent, where that time has passed.
  mutating func settle(at now: HostInstant) {
    guard let next = nextSilence, next <= now else { return }
    nextSilence = nil
    for voice in byPeer.values where isLive(voice, at: now) { watch(since: voice.lastHeard) }
  }

  /// A voice that was silent may live again: it is watched like one that is new.
  private mutating func watch(since heard: HostInstant) {
    let end = heard + silence
    nextSilence = min(nextSilence ?? end, end)
  }
}

// Looking at them.
extension Voices {
  func isLive(_ voice: Voice, at now: HostInstant) -> Bool { voice.lastHeard > now - silence }

  func isLive(_ peer: PeerID, at now: HostInstant) -> Bool {
    byPeer[peer].map { isLive($0, at: now) } ?? false
  }

  /// All voices, live or not, in no order.
  var all: Dictionary<PeerID, Voice>.Values { byPeer.values }

  /// The live ones, in no order.
  func live(at now: HostInstant) -> some Sequence<(key: PeerID, value: Voice)> {
    byPeer.lazy.filter { isLive($0.value, at: now) }
  }

  /// Whether there is a live one.
  func isAnyLive(at now: HostInstant) -> Bool {
    byPeer.contains { isLive($0.value, at: now) }
  }

  /// The live one that leads with the highest term.
  func bestLeader(at now: HostInstant) -> PeerID? {
    var best: (peer: PeerID, term: Term)?
    for peer in leading {
      guard let voice = byPeer[peer], isLive(voice, at: now), let term = voice.claim.term,
        best.map({ $0.term < term }) ?? true
      else { continue }
      best = (peer, term)
    }
    return best?.peer
  }

  /// Whether a live one leads that knows time no worse than `grade`.
  func isLed(at now: HostInstant, by grade: TimeGrade) -> Bool {
    leading.contains { peer in
      byPeer[peer].map { isLive($0, at: now) && $0.claim.grade >= grade } ?? false
    }
  }

  /// The live ones that know of a higher term than `term`, in the order of their peers.
  func live(above term: Term?, at now: HostInstant) -> [(peer: PeerID, voice: Voice)] {
    guard let term else { return [] }
    var found: [(peer: PeerID, voice: Voice)] = []
    for (peer, voice) in byPeer {
      guard let theirs = voice.claim.term, theirs > term, isLive(voice, at: now) else { continue }
      found.append((peer, voice))
    }
    return found.sorted { $0.peer < $1.peer }
  }
}
