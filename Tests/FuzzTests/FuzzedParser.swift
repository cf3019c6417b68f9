import FoundationEssentials
import Units

@testable import BroadcastWave
@testable import Control
@testable import PeerCore
@testable import Recording
@testable import TakeRecovery

/// What reads bytes that others made. Each takes whatever comes, and traps where it breaks a
/// promise: that is what a fuzzer looks for.
enum FuzzedParser: String, CaseIterable {
  case wave, bext, ixml, timecode, log, message, datagram, node, link, control, report,
    order

  func feed(_ bytes: [UInt8]) {
    switch self {
    case .wave: Self.wave(bytes)
    case .bext: Self.bext(bytes)
    case .ixml: Self.ixml(bytes)
    case .timecode: Self.timecode(bytes)
    case .log: Self.log(bytes)
    case .message: Self.message(bytes)
    case .datagram: Self.datagram(bytes)
    case .node: FuzzedNode.datagrams(bytes)
    case .link: FuzzedNode.link(bytes)
    case .control: Self.control(bytes)
    case .report: Self.report(bytes)
    case .order: Self.order(bytes)
    }
  }

  /// A file's bytes as a reader asks for them.
  private static func reader(
    _ bytes: [UInt8]
  ) -> (_ offset: UInt64, _ count: Int) throws(WaveError) -> [UInt8] {
    { offset, count throws(WaveError) in
      precondition(count <= Int(WaveReader.metadataLimit) * 2, "\(count) bytes are read at once")
      let start = min(Int(clamping: offset), bytes.count)
      return Array(bytes[start..<min(start + count, bytes.count)])
    }
  }

  private static func wave(_ bytes: [UInt8]) {
    let length = UInt64(bytes.count)
    if let wave = try? WaveReader(length: length, read: reader(bytes)) {
      precondition(wave.audioOffset + wave.audioBytes <= length, "audio beyond the end")
      let ixml = wave.ixml.map { IXMLReading($0) }
      _ = Disagreement.all(format: wave.format, bext: wave.bext, ixml: ixml)
    }
    for isInterrupted in [false, true] {
      let cues = isInterrupted ? [CuePoint(frame: 0, text: "x")] : []
      repair(bytes, isInterrupted: isInterrupted, cues: cues)
    }
  }

  /// Repairing keeps every byte of audio that was told of, and a second time changes nothing.
  private static func repair(_ bytes: [UInt8], isInterrupted: Bool, cues: [CuePoint]) {
    guard
      let plan = try? WaveRepair(
        length: UInt64(bytes.count), isInterrupted: isInterrupted, cues: cues, read: reader(bytes))
    else { return }
    if let rebuild = plan.rebuild {
      let body = Array(bytes[Int(rebuild.body.lowerBound)..<Int(rebuild.body.upperBound)])
      let made = rebuild.head + body + rebuild.tail
      let again = try? WaveReader(length: UInt64(made.count), read: reader(made))
      precondition(again?.frames == plan.frames, "a new file has \(plan.frames) frames")
      return
    }
    var mended = bytes
    for patch in plan.patches {
      let (start, end) = (Int(patch.offset), Int(patch.offset) + patch.bytes.count)
      precondition(start <= mended.count, "a patch leaves a hole")
      if end > mended.count { mended += repeatElement(0, count: end - mended.count) }
      mended.replaceSubrange(start..<end, with: patch.bytes)
    }
    let again = try? WaveRepair(
      length: UInt64(mended.count), isInterrupted: isInterrupted, cues: cues, read: reader(mended))
    precondition(
      again?.patches == [], "a second repair changes something: \(again as Any) after \(plan)")
    precondition(again?.frames == plan.frames, "a second repair counts otherwise")
  }

  private static func bext(_ bytes: [UInt8]) {
    guard let bext = Bext(body: bytes) else { return }
    _ = (bext.civilDate, bext.civilTime, bext.namedValues, bext.frameRate)
    for name in "AFWMT" { _ = bext.codingValue(name) }
    let again = Bext(body: bext.body)
    precondition(again?.timeReference == bext.timeReference, "bext is read as it was written")
  }

  private static func ixml(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = IXMLReading(text)
    let speed = IXML.Speed(
      frameRate: .fps25,
      format: WaveFormat(
        sampleRate: SampleRate(hertz: 48_000), channels: 1, encoding: .integer(bits: 24)),
      timeReference: 7)
    let written = IXMLReading(IXML(text: text, speed: speed).text)
    precondition(written.faults == [], "what is written is well-formed: \(written.faults)")
    precondition(written.timeReference == 7, "what is written is read")
  }

  private static func timecode(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(8)
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let rates = words.count > 1 ? FrameRate(words[1]).map { [$0] } ?? [] : FrameRate.all
      for rate in rates {
        guard let word = words.first, let code = Timecode(word, rate: rate) else { continue }
        precondition(
          Timecode(code.description, rate: rate) == code, "\(code) is read as it is written")
      }
    }
  }

  private static func log(_ bytes: [UInt8]) {
    for frames in [0, 48_000, UInt64.max] {
      guard let log = InterruptedLog(bytes: bytes, frames: frames) else { continue }
      precondition(log.wholeLength <= UInt64(bytes.count), "a log has no more than its bytes")
      precondition(log.cues.count <= InterruptedLog.cueLimit, "there are \(log.cues.count) cues")
      _ = log.ending(frames: frames)
      tellTake(log, frames: frames)
    }
  }

  /// What would stand in `take.json`.
  private static func tellTake(_ log: InterruptedLog, frames: UInt64) {
    guard let name = RecordedName("scene-T07_mic-ab12_001") else { return }
    let part = RecoveredPart(
      stem: "/nowhere/scene-T07_mic-ab12_001", name: name, log: log, frames: frames, bytes: 0,
      format: WaveFormat(
        sampleRate: SampleRate(hertz: 48_000), channels: 1, encoding: .integer(bits: 24)),
      ixml: nil)
    _ = try? InterruptedTake([part])?.summary()
  }

  private static func message(_ bytes: [UInt8]) {
    let all = WireHeader.Category.allCases
    guard let first = bytes.first else { return }
    let category = all[all.index(all.startIndex, offsetBy: Int(first) % all.count)]
    guard let message = try? Message(category, payload: bytes.dropFirst()) else { return }
    let payload = message.payload
    precondition(payload.count == bytes.count - 1, "a message is written as long as it was")
    precondition(
      (try? Message(category, payload: payload[...])) == message, "a message is read as written")
  }

  private static func datagram(_ bytes: [UInt8]) {
    _ = try? WireHeader(reading: bytes[...])
    var opener = DatagramOpener(
      cipher: .clear(tag: 1), me: PeerID(high: 1, low: 1),
      incarnation: Incarnation(count: 1, nonce: 1))
    _ = try? opener.open(bytes)
  }

  /// What hosts say of themselves and of orders, as JSON on the status board and in commands.
  private static func report(_ bytes: [UInt8]) {
    _ = LineCodec.value(HostReport.self, of: bytes)
    _ = LineCodec.value(HostAnswer.self, of: bytes)
    guard let book = LineCodec.value(SessionBook.self, of: bytes) else { return }
    var other = book
    other.learn(book)
  }

  /// What daemons tell one another in commands: orders, answers, events, and pieces of files. A first
  /// byte of 1 is a piece's, all else is JSON.
  private static func order(_ bytes: [UInt8]) {
    if bytes.first == 1 {
      guard let (number, piece) = FilePiece.decoded(Array(bytes.dropFirst())) else { return }
      let again = FilePiece.decoded(piece.encoded(number: number))
      precondition(again?.number == number, "a piece keeps its number")
      if case .bytes = piece { precondition(again?.piece == piece, "a piece keeps its bytes") }
      return
    }
    if let order = FleetCoding.decode(FleetOrder.self, from: bytes) {
      let again = FleetCoding.decode(FleetOrder.self, from: FleetCoding.encode(order))
      precondition(again?.number == order.number, "an order is read as it was written")
    }
    _ = FleetCoding.decode(FleetAnswer.self, from: bytes)
    _ = FleetCoding.decode(FileFetch.self, from: bytes)
    guard let events = FleetCoding.decode([FleetEvent].self, from: bytes) else { return }
    var book = EventBook()
    for event in events.prefix(64) { _ = book.add(event) }
    precondition(book.events.count <= EventBook.most, "a book has a limit")
    for event in events.prefix(64) { _ = (event.alert.overText, event.alert.sentence) }
  }

  private static func control(_ bytes: [UInt8]) {
    var buffer = LineBuffer(limit: ControlRequest.longestBytes)
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 + Int(rest[rest.startIndex]))
      rest = rest.dropFirst(piece.count)
      do {
        guard let line = try buffer.add(piece) else { continue }
        _ = LineCodec.value(ControlRequest.self, of: line)
        _ = LineCodec.value(ControlReply.self, of: line)
        return
      } catch { return }
    }
  }
}
