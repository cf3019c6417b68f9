internal import Units

/// Lists that Audacity opens: files with their offsets, and labels.
enum AudacityList {
  /// A list of files, which Audacity calls LOF.
  static func files(of project: EditorProject) throws(EditorExportError) -> String {
    var text = "# \(OneLine.of(project.name))\n"
    // The format knows whole files alone: of one in stretches the first tells its place.
    for clip in project.clips where clip.mediaStart.value == 0 {
      // The format has no way to escape what ends its strings.
      guard !clip.path.contains("\""), OneLine.of(clip.path) == clip.path else {
        throw .unwritablePath(clip.path, format: .audacity)
      }
      text += "file \"\(clip.path)\" offset \(Decimal.text(clip.start, places: 9))\n"
    }
    return text
  }

  /// Markers, a line each: begin, end, text.
  static func labels(of project: EditorProject) -> String {
    project.markers.map { marker in
      let place = Decimal.text(marker.position, places: 9)
      return "\(place)\t\(place)\t\(OneLine.of(marker.text))\n"
    }.joined()
  }
}
