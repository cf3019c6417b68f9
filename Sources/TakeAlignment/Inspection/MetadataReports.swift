internal import BroadcastWave

/// What a file's bext says.
public struct BextReport: Encodable, Sendable {
  public let version: Int
  public let description: String
  public let originator: String
  public let originatorReference: String
  public let originationDate: String
  public let originationTime: String
  public let timeReference: UInt64
  public let umid: String?
  /// A line for each generation of the sound.
  public let codingHistory: [String]

  private enum CodingKeys: String, CodingKey {
    case version, description, originator
    case originatorReference = "originator_reference"
    case originationDate = "origination_date"
    case originationTime = "origination_time"
    case timeReference = "time_reference_samples"
    case umid
    case codingHistory = "coding_history"
  }

  init(_ bext: Bext) {
    version = Int(bext.version)
    description = bext.description
    originator = bext.originator
    originatorReference = bext.originatorReference
    originationDate = bext.originationDate
    originationTime = bext.originationTime
    timeReference = bext.timeReference
    umid = bext.umid
    codingHistory = bext.codingHistory.split(whereSeparator: \.isNewline).map(String.init)
  }
}

/// What a file's iXML says.
public struct IXMLReport: Encodable, Sendable {
  public let version: String?
  public let project: String?
  public let scene: String?
  public let take: String?
  public let tape: String?
  public let note: String?
  public let isCircled: Bool?
  public let userBits: String?
  public let fileUID: String?
  public let frameRate: String?
  public let timeReference: UInt64?
  public let tracks: [Track]
  public let syncPoints: [SyncPoint]
  public let originalFilename: String?
  public let parentFilename: String?
  public let user: String?

  private enum CodingKeys: String, CodingKey {
    case version, project, scene, take, tape, note
    case isCircled = "circled"
    case userBits = "user_bits"
    case fileUID = "file_uid"
    case frameRate = "frame_rate"
    case timeReference = "time_reference_samples"
    case tracks
    case syncPoints = "sync_points"
    case originalFilename = "original_filename"
    case parentFilename = "parent_filename"
    case user
  }

  public struct Track: Encodable, Sendable {
    public let channel: Int
    public let interleave: Int
    public let name: String
  }

  public struct SyncPoint: Encodable, Sendable {
    public let function: String
    public let isAbsolute: Bool
    public let sample: UInt64
    public let comment: String?

    private enum CodingKeys: String, CodingKey {
      case function
      case isAbsolute = "absolute"
      case sample, comment
    }
  }

  init(_ ixml: IXMLReading) {
    version = ixml.version
    project = ixml.project
    scene = ixml.scene
    take = ixml.take
    tape = ixml.tape
    note = ixml.note
    isCircled = ixml.isCircled
    userBits = ixml.userBits
    fileUID = ixml.fileUID
    frameRate = ixml.frameRateText
    timeReference = ixml.timeReference
    tracks = ixml.tracks.map {
      Track(channel: $0.channel, interleave: $0.interleave, name: $0.name)
    }
    syncPoints = ixml.syncPoints.map {
      SyncPoint(
        function: $0.function, isAbsolute: $0.isAbsolute, sample: $0.sample, comment: $0.comment)
    }
    originalFilename = ixml.history?.originalFilename
    parentFilename = ixml.history?.parentFilename
    user = ixml.user
  }
}
