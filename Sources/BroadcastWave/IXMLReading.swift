/// What an iXML text says word for word, with nothing assumed: for reading foreign files.
///
/// ``IXML`` is what the recorder writes; it needs a speed. Here everything may be missing.
public struct IXMLReading: Hashable, Sendable {
  /// Such as `1.5`.
  public let version: String?
  public let project: String?
  public let scene: String?
  public let take: String?
  public let tape: String?
  public let note: String?
  public let userBits: String?
  public let fileUID: String?
  /// Nothing where the file does not say.
  public let isCircled: Bool?
  public let fileSet: IXML.FileSet?
  public let tracks: [IXML.Track]
  /// The number of tracks that the list says it has.
  public let trackCount: Int?
  public let syncPoints: [IXML.SyncPoint]
  public let history: IXML.History?
  public let user: String?
  /// The timecode's rate as it is written, with its flag, such as `30000/1001 DF`.
  public let frameRateText: String?
  /// The timecode's rate, where it is one that exists.
  public let frameRate: FrameRate?
  /// What is noted beside the speed.
  public let speedNote: String?
  public let fileSampleRate: Int64?
  public let timestampSampleRate: Int64?
  public let bitDepth: Int64?
  /// Samples since timecode zero.
  public let timeReference: UInt64?
  /// The same once more in a copy of bext, which some write.
  public let copiedTimeReference: UInt64?
  /// What is not as XML or as iXML should be, in words.
  public let faults: [String]

  /// Reads a chunk's text, however broken.
  public init(_ text: String) {
    let document = XMLElements(text)
    let named = document.first("BWFXML")
    let root = named ?? document
    faults =
      document.faults.map { "the iXML is broken XML (\($0))" }
      + (named == nil ? ["the iXML has no element BWFXML around it"] : [])
    version = root.value("IXML_VERSION")
    project = root.value("PROJECT")
    scene = root.value("SCENE")
    take = root.value("TAKE")
    tape = root.value("TAPE")
    note = root.value("NOTE")
    userBits = root.value("UBITS")
    fileUID = root.value("FILE_UID")
    isCircled = root.value("CIRCLED").map { $0.uppercased() == "TRUE" }
    fileSet = root.first("FILE_SET").flatMap(IXML.FileSet.init)
    let list = root.first("TRACK_LIST")
    tracks = list?.all("TRACK").compactMap(IXML.Track.init) ?? []
    trackCount = list?.integer("TRACK_COUNT").map { Int($0) }
    syncPoints =
      root.first("SYNC_POINT_LIST")?.all("SYNC_POINT").compactMap(IXML.SyncPoint.init) ?? []
    history = root.first("HISTORY").flatMap(IXML.History.init)
    user = root.value("USER")
    let speed = root.first("SPEED")
    let rate = speed?.value("TIMECODE_RATE")
    let flag = speed?.value("TIMECODE_FLAG")
    frameRateText = rate.map { $0 + (flag.map { " \($0)" } ?? "") }
    frameRate = rate.flatMap { FrameRate($0 + (flag ?? "")) }
    speedNote = speed?.value("NOTE")
    fileSampleRate = speed?.integer("FILE_SAMPLE_RATE")
    timestampSampleRate = speed?.integer("TIMESTAMP_SAMPLE_RATE")
    bitDepth = speed?.integer("AUDIO_BIT_DEPTH")
    timeReference = speed?.halves(
      low: "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO", high: "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI")
    copiedTimeReference = root.first("BEXT")?.halves(
      low: "BWF_TIME_REFERENCE_LOW", high: "BWF_TIME_REFERENCE_HIGH")
  }
}
