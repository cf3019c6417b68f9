public import Units

/// The names of a take's folders and files: plain ASCII, safe on FAT and in a shell.
///
///     <date>_<session>/<scene>-T<take>-<take id>/<scene>-T<take>_<host>-<peer>[_<track>]_<segment>.wav
public struct TakeNames: Hashable, Sendable {
  /// The longest part that is made of what a person wrote, in characters.
  static let longestPart = 32

  /// The folder of the take, from the output folder.
  public let folder: String
  /// The name that the host's files begin with.
  private let stem: String
  private let host: String

  /// Makes the names of `plan` as recorded by `label` in a session of `date` (YYYY-MM-DD).
  public init(plan: TakePlan, session: SessionID, date: String, peer: PeerID, label: String) {
    let take = "\(Self.safe(plan.name, otherwise: "take"))-T\(Self.padded(plan.number, to: 2))"
    folder = "\(date)_\(session.short)/\(take)-\(plan.id.short)"
    host = "\(Self.safe(label, otherwise: "host"))-\(peer.short)"
    stem = "\(take)_\(host)"
  }

  /// The number of what is kept safe while it is not known yet where the first segment begins.
  public static let draftSegment = 0

  /// The sound file of a segment, counted from 1; of a track, where each has a file of its own.
  public func sound(segment: Int, track: Int? = nil) -> String {
    "\(name(segment: segment, track: track)).wav"
  }

  /// The timing log of such a file.
  public func timingLog(segment: Int, track: Int? = nil) -> String {
    "\(name(segment: segment, track: track)).timing.jsonl"
  }

  private func name(segment: Int, track: Int?) -> String {
    let part = track.map { "_\(Self.padded($0, to: 2))" } ?? ""
    return "\(stem)\(part)_\(Self.padded(segment, to: 3))"
  }

  /// What the host says of its files, by the first segment of a recording: a take that is started
  /// again says it anew.
  public func summary(segment: Int) -> String {
    segment <= 1 ? "\(host).take.json" : "\(host)_\(Self.padded(segment, to: 3)).take.json"
  }

  /// `text` with everything but letters, digits, `-` and `.` made a dash, cut to 32 characters.
  /// It never begins with a dash or a dot, nor ends in a dot, which FAT would drop.
  public static func safe(_ text: String, otherwise: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(256) {
      let isPlain =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "."
          || scalar == "-")
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else if !result.hasSuffix("-") {
        result.append("-")
      }
    }
    let trimmed = result.drop { $0 == "-" || $0 == "." }.prefix(longestPart)
    let end = trimmed.reversed().drop { $0 == "-" || $0 == "." }
    let name = String(end.reversed())
    return name.isEmpty || isReserved(name) ? otherwise : name
  }

  /// Names that stand for devices on the systems that FAT comes from.
  private static func isReserved(_ name: String) -> Bool {
    let base = name.uppercased().split(separator: ".").first.map(String.init) ?? ""
    if ["CON", "PRN", "AUX", "NUL"].contains(base) { return true }
    return base.count == 4 && (base.hasPrefix("COM") || base.hasPrefix("LPT"))
      && base.last?.isNumber == true
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
