/// Why a datagram or a frame had no effect.
public enum WireRefusal: Error, Hashable, Sendable {
  /// Shorter than a header, or than its own length says.
  case tooShort
  /// Longer than the limit, or than its own length says.
  case tooLong
  /// Of a version that this program does not speak.
  case unknownVersion(UInt8)
  /// Of a category that this version does not have.
  case unknownCategory(UInt8)
  /// Of another group on the same network.
  case otherGroup
  /// Of our group by its tag, but not sealed with our key: another passphrase, or forged.
  case wrongKeyOrForged
  /// Seen before, or too old to tell.
  case replayed
  /// From a run of a peer that has not proved yet that it lives.
  case unproven
  /// Our own, heard again.
  case own
  /// Sealed with our key, but not what its category says.
  case malformed(field: String)
  /// Valid, but not expected on this way or at this time.
  case unexpected
  /// From more peers than the table holds.
  case tableFull

  /// The word under which refusals of the kind are counted.
  public var word: String {
    switch self {
    case .tooShort: "too_short"
    case .tooLong: "too_long"
    case .unknownVersion: "unknown_version"
    case .unknownCategory: "unknown_category"
    case .otherGroup: "other_group"
    case .wrongKeyOrForged: "wrong_key_or_forged"
    case .replayed: "replayed"
    case .unproven: "unproven"
    case .own: "own"
    case .malformed: "malformed"
    case .unexpected: "unexpected"
    case .tableFull: "table_full"
    }
  }
}
