extension IXML {
  /// Reads a chunk's text over what `speed` says: everything that this type holds but the speed,
  /// which belongs to the file's own samples.
  public init(text: String, speed: Speed) {
    self.init(speed: speed)
    let root = XMLElements(text).first("BWFXML") ?? XMLElements(text)
    project = root.value("PROJECT")
    scene = root.value("SCENE")
    take = root.value("TAKE")
    tape = root.value("TAPE")
    note = root.value("NOTE")
    isCircled = root.value("CIRCLED")?.uppercased() == "TRUE"
    fileUID = root.value("FILE_UID")
    userBits = root.value("UBITS")
    user = root.value("USER")
    fileSet = root.first("FILE_SET").flatMap(FileSet.init)
    tracks = root.first("TRACK_LIST")?.all("TRACK").compactMap(Track.init) ?? []
    syncPoints = root.first("SYNC_POINT_LIST")?.all("SYNC_POINT").compactMap(SyncPoint.init) ?? []
    history = root.first("HISTORY").flatMap(History.init)
  }
}

extension IXML.FileSet {
  init?(_ element: XMLElements) {
    guard let uid = element.value("FAMILY_UID") else { return nil }
    self.init(
      totalFiles: element.integer("TOTAL_FILES").map { Int($0) } ?? 1, familyUID: uid,
      familyName: element.value("FAMILY_NAME") ?? "", index: element.value("FILE_SET_INDEX"))
  }
}

extension IXML.Track {
  init?(_ element: XMLElements) {
    guard let place = element.integer("INTERLEAVE_INDEX").map({ Int($0) }) else { return nil }
    self.init(
      channel: element.integer("CHANNEL_INDEX").map { Int($0) } ?? place, interleave: place,
      name: element.value("NAME") ?? "")
  }
}

extension IXML.SyncPoint {
  init?(_ element: XMLElements) {
    guard let sample = element.halves(low: "SYNC_POINT_LOW", high: "SYNC_POINT_HIGH") else {
      return nil
    }
    self.init(
      isAbsolute: element.value("SYNC_POINT_TYPE") == "ABSOLUTE",
      function: element.value("SYNC_POINT_FUNCTION") ?? "MARKER_GENERIC",
      comment: element.value("SYNC_POINT_COMMENT"),
      sample: sample)
  }
}

extension IXML.History {
  init?(_ element: XMLElements) {
    guard let name = element.value("ORIGINAL_FILENAME") else { return nil }
    self.init(
      originalFilename: name, parentFilename: element.value("PARENT_FILENAME"),
      parentUID: element.value("PARENT_UID"))
  }
}

extension XMLElements {
  /// A number of 64 bits in two elements. Some recorders write the halves as signed numbers of
  /// 32 bits.
  func halves(low: String, high: String) -> UInt64? {
    guard let low = integer(low) else { return nil }
    let high = integer(high) ?? 0
    return UInt64(UInt32(truncatingIfNeeded: high)) << 32
      | UInt64(UInt32(truncatingIfNeeded: low))
  }
}
