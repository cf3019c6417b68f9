import BroadcastWave
import Glibc
import TestFolders
import TestLanes
import Testing
import Units

@testable import CaptureEngine
@testable import Recording

@Suite("The files of a take", .computing)
struct TakeFilesTests {
  @Test(
    "a split recording is one sound: no frame lost or doubled, each start right behind the last",
    arguments: [FileSettings.Split.length(.seconds(1)), .size(bytes: 1_000_000)], [1, 3])
  func gapless(split: FileSettings.Split, channels: Int) throws {
    let frames = split == .length(.seconds(1)) ? 20_001 : 400_000
    let take = try RecordedFiles(
      channels: channels, frames: frames, settings: FileSettings(split: split), timecode: "29.97DF")
    try take.write()
    try take.finish()
    let names = take.sounds
    let counts = try names.map { Int(try take.read($0).frames) }
    #expect(try names.flatMap { try take.samples($0) } == take.audio)
    #expect(counts.reduce(0, +) == frames)
    if split == .length(.seconds(1)) { #expect(counts == [8000, 8000, 4001]) }
    for name in names { #expect(take.workspace.bytes(of: name).count < 1_000_000) }
    var reference: UInt64?
    for (place, name) in names.enumerated() {
      let wave = try take.read(name)
      let ixml = try take.ixml(name)
      #expect(name.hasSuffix("_00\(place + 1).wav"))
      if let reference { #expect(wave.bext?.timeReference == reference) }
      reference = wave.bext.map { $0.timeReference + wave.frames }
      #expect(ixml.timeReference == wave.bext?.timeReference)
      #expect(ixml.fileSet?.totalFiles == names.count)
      #expect(ixml.fileSet?.familyUID == "77c00000000000000000000000000009")
      #expect(
        wave.assumptions.isEmpty && wave.toldLength == UInt64(take.workspace.bytes(of: name).count))
    }
    #expect(Set(try names.map { try take.ixml($0).fileUID }).count == names.count)
    try judgeLogs(take, names, counts)
  }

  private func judgeLogs(_ take: RecordedFiles, _ names: [String], _ counts: [Int]) throws {
    var first: Int64 = 0
    for (place, name) in names.enumerated() {
      let entries = try take.entries(name)
      guard case .header(let header) = entries.first, case .summary(let end) = entries.last else {
        Issue.record("a log begins with a header and ends with a summary")
        return
      }
      #expect(header.firstFrame == first && header.segment == place + 1)
      #expect(header.t0 == take.recorder.t0)
      let span = take.format.sampleRate.duration(of: FrameCount(first))
      // By the card's 12.5 ppm and shared time's -3.
      let off = (header.firstShared - take.recorder.t0 - span).inSeconds + span.inSeconds * 15.5e-6
      #expect(abs(off) < 1e-7, "\(off)")
      #expect(end.frames == Int64(counts[place]))
      let next = entries.compactMap { if case .segment(let next) = $0 { next } else { nil } }
      #expect(
        next.first?.nextFile
          == (place + 1 < names.count
            ? header.file.replacing("00\(place + 1)", with: "00\(place + 2)") : nil))
      let clocks = entries.compactMap {
        if case .clock(let clock) = $0 { clock.frame } else { nil }
      }
      #expect(clocks.first == 0)
      if place + 1 < names.count { #expect(clocks.last == Int64(counts[place]) - 1) }
      first += Int64(counts[place])
    }
  }

  @Test("a file for each track holds that track alone, and its log says which")
  func mono() throws {
    let take = try RecordedFiles(
      channels: 4, frames: 5000, settings: FileSettings(isMono: true),
      plan: { $0.fileCount = 6 })
    try take.write()
    try take.finish()
    #expect(take.sounds.count == 4)
    for (channel, name) in take.sounds.enumerated() {
      #expect(name.hasSuffix("_0\(channel + 1)_001.wav"))
      let wanted = stride(from: channel, to: 4 * 5000, by: 4).flatMap {
        take.audio[3 * $0..<3 * $0 + 3]
      }
      #expect(try take.samples(name) == wanted)
      let ixml = try take.ixml(name)
      #expect(
        ixml.tracks == [.init(channel: channel + 1, interleave: 1, name: "mic \(channel + 1)")])
      #expect(ixml.fileSet?.totalFiles == 6)
      guard case .header(let header) = try take.entries(name).first else {
        Issue.record("a log begins with a header")
        return
      }
      #expect(header.track == channel + 1 && header.channels == 1)
    }
    #expect(try take.summary().fileDetails?.map(\.track) == [1, 2, 3, 4])
  }

  @Test("take.json tells verdict, certificate and digest; a marker is cue, label and sync point")
  func certificate() throws {
    let take = try RecordedFiles(
      frames: 16_000, settings: FileSettings(split: .length(.seconds(1))),
      plan: { $0.told = SharedInstant.sessionStart + .milliseconds(10_500) })
    try take.write()
    let t0 = take.recorder.t0
    try take.recorder.mark(text: "拍手 & <clap>", frame: 9000, shared: t0 + .milliseconds(1125))
    try take.recorder.note(
      StreamGap(index: 1000 + 9600, frames: 40, boundFrames: 2, cause: .overrun))
    try take.recorder.write(
      .clock(RecordedFiles.clock(frame: 15_999, t0: t0, rate: take.format.sampleRate)))
    take.recorder.remark(TakeRemarks(note: "Wind, später ruhig"))
    take.recorder.remark(TakeRemarks(isCircled: true))
    try take.finish()
    let name = try #require(take.sounds.last)
    #expect(
      try take.read(name).cues == [
        CuePoint(frame: 1000, text: "拍手 & <clap>"),
        CuePoint(frame: 1600, text: "gap: 40 ± 2 frames were lost (overrun)"),
      ])
    let ixml = try take.ixml(name)
    #expect(
      ixml.syncPoints == [
        .init(function: "MARKER_GENERIC", comment: "拍手 & <clap>", sample: 1000)
      ])
    #expect(ixml.note == "Wind, später ruhig" && ixml.isCircled == true)
    #expect(ixml.project == "映画 & <Ton>" && ixml.tape == "R1" && ixml.userBits == "30112600")
    #expect(ixml.user?.contains("card_ppm=+12.500") == true)
    #expect(ixml.user?.contains("tail_bound_ns=7900") == true)
    // What lies before the start was said, by the sample: half a second of the first file.
    let opening = try take.ixml(take.sounds[0]).syncPoints
    #expect(opening.map(\.function) == ["PRE_RECORD_SAMPLECOUNT"] && opening[0].sample == 4000)
    let summary = try take.summary()
    #expect(summary.verdict == .flawed && summary.frames == 16_000 && summary.gaps == 1)
    #expect(summary.reasons == ["40 frames were lost in 1 gaps"])
    let certificate = try #require(summary.certificate)
    #expect(certificate.head?.offsetNanoseconds == 0 && certificate.head?.boundNanoseconds == 7900)
    #expect(certificate.tail?.frame == 15_999 && certificate.tail?.offsetNanoseconds == -125_000)
    #expect(certificate.lostFrames == 40 && certificate.gapBoundFrames == 2)
    for file in try #require(summary.fileDetails) {
      let name = try #require(take.sounds.first { $0.hasSuffix(file.name) })
      let path = take.workspace.path + "/" + name
      let sum = ShellCommand.output(of: "sha256sum '\(path)'").prefix(64)
      #expect(file.sha256.map { $0[...] } == sum)
    }
  }

  @Test("markers that do not fit stay in the log, and the take says how many are missing")
  func manyMarkers() throws {
    let take = try RecordedFiles(frames: 8000)
    try take.write()
    for number in 0..<200 {
      try take.recorder.mark(text: "marker \(number)", frame: Int64(number * 40))
    }
    try take.finish()
    let wave = try take.read(take.sounds[0])
    #expect(wave.cues.count == 200)
    let points = try take.ixml(take.sounds[0]).syncPoints
    #expect(points.count > 30 && points.count < 60)
    #expect(points.map(\.comment) == (0..<points.count).map { "marker \($0)" })
    #expect(take.recorder.warnings.count == 1)
    #expect(take.recorder.warnings[0].hasPrefix("\(200 - points.count) markers did not fit"))
    #expect(
      try take.entries(take.sounds[0]).filter { if case .marker = $0 { true } else { false } }.count
        == 200)
  }

  @Test(
    "a plain header has no filler chunk and stays true",
    arguments: [SampleEncoding.float32, .integer(bits: 16)])
  func plain(encoding: SampleEncoding) throws {
    let take = try RecordedFiles(
      channels: 2, encoding: encoding, frames: 4001, settings: FileSettings(isPlain: true))
    try take.write()
    try take.finish()
    let wave = try take.read(take.sounds[0])
    #expect(
      wave.chunks.map(\.name) == (encoding == .float32 ? ["fmt ", "fact"] : ["fmt "]) + [
        "bext", "iXML", "data",
      ])
    #expect(wave.frames == 4001 && wave.assumptions.isEmpty)
    #expect(try take.samples(take.sounds[0]) == take.audio)
    let path = take.workspace.path + "/" + take.sounds[0]
    #expect(ShellCommand.output(of: "soxi -s '\(path)'") == "4001\n")
    #expect(
      FileSettings(isPlain: true).mostFrames(format: wave.format, headerBytes: 16_384).map {
        $0 * Int64(wave.format.bytesPerFrame) + 16_384 < 0xFFFF_FFFF
      } == true)
  }

  @Test(
    "a file of a split take across midnight has the next day's date and wraps its TimeReference")
  func midnight() throws {
    let take = try RecordedFiles(
      frames: 20_000, settings: FileSettings(split: .length(.seconds(1))), secondOfDay: 86_389)
    try take.write()
    try take.finish()
    let found = try take.sounds.map { try #require(try take.read($0).bext) }
    #expect(found.map(\.originationDate) == ["2026-11-30", "2026-12-01", "2026-12-01"])
    #expect(found.map(\.originationTime) == ["23:59:59", "00:00:00", "00:00:01"])
    #expect(found.map(\.timeReference) == [86_399 * 8000, 0, 8000])
  }

  @Test(
    "a cue is put into a closed file; where it does not fit nothing changes", arguments: [1, 2])
  func lateCue(channels: Int) throws {
    let take = try RecordedFiles(channels: channels, frames: 3001)
    try take.write()
    try take.recorder.mark(text: "拍手", frame: 2000)
    try take.finish()
    let name = take.sounds[0]
    let path = take.workspace.path + "/" + name
    let before = take.workspace.bytes(of: name)
    #expect(throws: CaptureError.output(path: path, code: ENOSPC)) {
      try ClosedFile.add(CuePoint(frame: 7, text: "x"), to: path, limit: 90)
    }
    #expect(take.workspace.bytes(of: name) == before)
    try ClosedFile.add(CuePoint(frame: 7, text: "late"), to: path, limit: WaveTrailer.usualLimit)
    let wave = try take.read(name)
    #expect(wave.cues == [CuePoint(frame: 7, text: "late"), CuePoint(frame: 2000, text: "拍手")])
    #expect(wave.toldLength == UInt64(take.workspace.bytes(of: name).count))
    #expect(try take.samples(name) == take.audio && wave.assumptions == [])
    let info = ShellCommand.output(of: "sndfile-info '\(path)'")
    #expect(info.contains("Frames      : 3001"), "\(info)")
  }

  @Test("a closed file's iXML is edited in its room, and nothing else of it changes")
  func edit() throws {
    let take = try RecordedFiles(channels: 2, frames: 3000)
    try take.write()
    try take.finish()
    let name = take.sounds[0]
    let before = take.workspace.bytes(of: name)
    let path = take.workspace.path + "/" + name
    try ClosedFile.editMetadata(of: path) { $0.note = "später: 好" }
    let after = take.workspace.bytes(of: name)
    #expect(try take.ixml(name).note == "später: 好")
    #expect(before.count == after.count && before[16_376...] == after[16_376...])
    #expect(throws: CaptureError.output(path: path, code: ENOSPC)) {
      try ClosedFile.editMetadata(of: path) { $0.note = String(repeating: "x", count: 16_384) }
    }
    #expect(take.workspace.bytes(of: name) == after)
    #expect(throws: CaptureError.output(path: "/none.wav", code: ENOENT)) {
      try ClosedFile.editMetadata(of: "/none.wav") { $0.note = "" }
    }
  }

  @Test("loudness of a tone at -23 LUFS stands in bext version 2, for us and for others")
  func loudness() throws {
    let workspace = TestFolder()
    let format = WaveFormat(
      sampleRate: SampleRate(hertz: 48_000), channels: 2, encoding: .integer(bits: 24))
    let t0 = SharedInstant.sessionStart
    let description = FileDescription(
      plan: TakePlan(id: TakeID(high: 1, low: 2), name: "tone", number: 1),
      host: RecordedFiles.host,
      session: Session(
        id: SessionID(high: 5, low: 1), anchorUnixNanoseconds: 0, anchorErrorNanoseconds: 0,
        utcOffsetSeconds: 0), format: format, begins: t0, fileName: "tone.wav")
    let path = workspace.path + "/tone.wav"
    let writer = try SoundWriter(path: path, description: description, measuresLoudness: true)
    // 1 kHz in both channels with a peak of -23 dB is -23 LUFS (EBU Tech 3341, case 1).
    let peak = pow(10, -23.0 / 20) * 8_388_608
    var bytes: [UInt8] = []
    for frame in 0..<4 * 48_000 {
      let value = Int32((peak * sin(2 * .pi * Double(frame) / 48)).rounded())
      for _ in 0..<2 {
        for part in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: value >> Int32(8 * part))) }
      }
    }
    try writer.append(bytes)
    try writer.finish(cues: [], state: FileState())
    let read = workspace.bytes(of: "tone.wav")
    let bext = try #require(Bext(body: Array(read[80..<938])))
    #expect(bext.version == 2)
    let figures = try #require(bext.loudness)
    for figure in [figures.integrated, figures.maxMomentary, figures.maxShortTerm] {
      #expect(abs(Int(try #require(figure)) + 2300) <= 10, "\(figures)")
    }
    #expect(abs(Int(try #require(figures.maxTruePeak)) + 2300) <= 20)
    #expect(figures.range == 0)
    let info = ShellCommand.output(of: "sndfile-info --broadcast '\(path)'")
    #expect(info.contains("BWF version              : 2"), "\(info)")
  }

  @Test("a mark that comes late is in the file that it belongs to, also across a segment's end")
  func lateMarks() throws {
    let take = try RecordedFiles(
      frames: 200_000, settings: FileSettings(split: .length(.seconds(12))))
    let size = take.format.bytesPerFrame
    let mark = { (text: String, frame: Int64) in
      try take.recorder.mark(
        text: text, frame: frame,
        shared: take.recorder.t0 + take.format.sampleRate.duration(of: FrameCount(frame)))
    }
    // Twelve seconds are 96,000 frames; ten more and the first segment is closed.
    try take.recorder.append(Array(take.audio[..<(100_000 * size)]))
    try mark("late", 95_999)
    try mark("now", 96_000)
    try take.recorder.note(
      StreamGap(index: 1000 + 95_990, frames: 30, boundFrames: 0, cause: .overrun))
    try take.recorder.append(Array(take.audio[(100_000 * size)...]))
    try mark("too late", 100)
    take.recorder.remark(TakeRemarks(note: "said at last"))
    try take.finish()
    let first = try take.ixml(take.sounds[0])
    let second = try take.ixml(take.sounds[1])
    #expect(first.syncPoints.map(\.sample) == [100, 95_999])
    #expect(first.syncPoints.map(\.comment) == ["too late", "late"])
    #expect(second.syncPoints.map(\.sample) == [0])
    #expect([first.note, second.note] == ["said at last", "said at last"])
    #expect(
      try take.read(take.sounds[0]).cues.map(\.text)
        == ["too late", "gap: 10 frames were lost (overrun)", "late"])
    let length = take.workspace.bytes(of: take.sounds[0]).count
    #expect(try take.read(take.sounds[0]).toldLength == UInt64(length))
    #expect(try take.samples(take.sounds[0]) == Array(take.audio[..<(96_000 * size)]))
    #expect(
      try take.read(take.sounds[1]).cues.map(\.text)
        == ["gap: 20 frames were lost (overrun)", "now"])
    let logged = try take.sounds.map { name in
      try take.entries(name).compactMap { entry in
        switch entry {
        case .marker(let mark): "\(mark.text) \(mark.frame)"
        case .gap(let gap): "gap \(gap.frame) \(gap.frames)"
        default: nil
        }
      }
    }
    #expect(logged[0] == ["late 95999", "gap 95990 10"])
    #expect(logged[1] == ["now 0", "gap 0 20", "too late -95900"])
    #expect(try take.summary().markers?.map(\.frame) == [95_999, 96_000, 100])
    #expect(try take.sounds.flatMap { try take.samples($0) } == take.audio)
  }

  @Test("a closed take is edited at once, and has its digests anew")
  func editing() throws {
    let take = try RecordedFiles(frames: 3000)
    try take.write()
    try take.finish()
    let name = try #require(take.workspace.files.first { $0.hasSuffix(".take.json") })
    let parts = name.split(separator: "/")
    let entry = TakeArchive.Entry(
      summary: try take.summary(),
      folder: take.workspace.path + "/" + parts.dropLast().joined(separator: "/"),
      name: String(parts.last ?? ""))
    let begun = ContinuousClock.now
    try TakeEditing.remark(TakeRemarks(isCircled: true), in: entry).wait()
    try TakeEditing.remark(TakeRemarks(note: "gut"), in: entry).wait()
    try TakeEditing.tell(totalFiles: 7, in: entry).wait()
    // Nobody waits for a lock that the same call holds: that would be ten seconds each.
    #expect(ContinuousClock.now - begun < .seconds(8))
    let ixml = try take.ixml(take.sounds[0])
    #expect(ixml.isCircled == true && ixml.note == "gut" && ixml.fileSet?.totalFiles == 7)
    let summary = try take.summary()
    #expect(summary.remarks == TakeRemarks(note: "gut", isCircled: true))
    let path = take.workspace.path + "/" + take.sounds[0]
    #expect(summary.fileDetails?.first?.sha256 == ClosedFile.sha256(of: path))
  }
}
