import Units

extension IXML {
  /// The chunk's text: well-formed XML in UTF-8.
  public var text: String {
    var xml = XMLText()
    xml.node("BWFXML") { root in
      root.leaf("IXML_VERSION", "3.01")
      root.leaf("PROJECT", project)
      root.leaf("SCENE", scene)
      root.leaf("TAKE", take)
      root.leaf("TAPE", tape)
      root.leaf("CIRCLED", isCircled ? "TRUE" : "FALSE")
      root.leaf("FILE_UID", fileUID)
      root.leaf("UBITS", userBits)
      root.leaf("NOTE", note)
      write(syncPoints, to: &root)
      write(speed, to: &root)
      write(history, to: &root)
      write(fileSet, to: &root)
      write(tracks, to: &root)
      root.leaf("USER", user)
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + xml.text
  }

  private func write(_ speed: Speed, to root: inout XMLText) {
    root.node("SPEED") { node in
      node.leaf("NOTE", speed.note)
      node.leaf("MASTER_SPEED", speed.frameRate.fraction)
      node.leaf("CURRENT_SPEED", speed.frameRate.fraction)
      node.leaf("TIMECODE_RATE", speed.frameRate.fraction)
      node.leaf("TIMECODE_FLAG", speed.frameRate.flag)
      node.leaf("FILE_SAMPLE_RATE", String(speed.format.sampleRate.hertz))
      node.leaf("AUDIO_BIT_DEPTH", String(speed.format.encoding.bits))
      node.leaf("DIGITIZER_SAMPLE_RATE", String(speed.format.sampleRate.hertz))
      node.leaf("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI", String(speed.timeReference >> 32))
      node.leaf(
        "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO", String(speed.timeReference & 0xFFFF_FFFF))
      node.leaf("TIMESTAMP_SAMPLE_RATE", String(speed.format.sampleRate.hertz))
    }
  }

  private func write(_ points: [SyncPoint], to root: inout XMLText) {
    if points.isEmpty { return }
    root.node("SYNC_POINT_LIST") { list in
      list.leaf("SYNC_POINT_COUNT", String(points.count))
      for point in points {
        list.node("SYNC_POINT") { node in
          node.leaf("SYNC_POINT_TYPE", point.isAbsolute ? "ABSOLUTE" : "RELATIVE")
          node.leaf("SYNC_POINT_FUNCTION", point.function)
          node.leaf("SYNC_POINT_COMMENT", point.comment)
          node.leaf("SYNC_POINT_LOW", String(point.sample & 0xFFFF_FFFF))
          node.leaf("SYNC_POINT_HIGH", String(point.sample >> 32))
          node.leaf("SYNC_POINT_EVENT_DURATION", "0")
        }
      }
    }
  }

  private func write(_ history: History?, to root: inout XMLText) {
    guard let history else { return }
    root.node("HISTORY") { node in
      node.leaf("ORIGINAL_FILENAME", history.originalFilename)
      node.leaf("PARENT_FILENAME", history.parentFilename)
      node.leaf("PARENT_UID", history.parentUID)
    }
  }

  private func write(_ set: FileSet?, to root: inout XMLText) {
    guard let set else { return }
    root.node("FILE_SET") { node in
      node.leaf("TOTAL_FILES", String(set.totalFiles))
      node.leaf("FAMILY_UID", set.familyUID)
      node.leaf("FAMILY_NAME", set.familyName)
      node.leaf("FILE_SET_INDEX", set.index)
    }
  }

  private func write(_ tracks: [Track], to root: inout XMLText) {
    if tracks.isEmpty { return }
    root.node("TRACK_LIST") { list in
      list.leaf("TRACK_COUNT", String(tracks.count))
      for track in tracks {
        list.node("TRACK") { node in
          node.leaf("CHANNEL_INDEX", String(track.channel))
          node.leaf("INTERLEAVE_INDEX", String(track.interleave))
          node.leaf("NAME", track.name)
        }
      }
    }
  }
}
