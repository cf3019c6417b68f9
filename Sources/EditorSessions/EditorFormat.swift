/// What an editor opens.
public enum EditorFormat: String, CaseIterable, Hashable, Sendable {
  case reaper
  case ardour
  case otio
  case edl
  case fcpxml
  case audacity
  case ale
  case csv

  /// Whether it plays files at a rate of its own, so that drift needs no rendered files.
  public var carriesDrift: Bool { self == .reaper || self == .otio }

  /// The files of a project, by name and text.
  ///
  /// - Throws: ``EditorExportError`` where something cannot be written in the format.
  public func files(of project: EditorProject) throws(EditorExportError) -> [EditorFile] {
    let stem = FileStem.of(project.name)
    switch self {
    case .reaper: return [EditorFile("\(stem).rpp", ReaperProject.text(of: project))]
    case .ardour:
      return [EditorFile("\(stem)/\(stem).ardour", ArdourSession.text(of: project, named: stem))]
    case .otio: return [EditorFile("\(stem).otio", TimelineJSON.text(of: project))]
    case .edl: return EditDecisionList.files(of: project)
    case .fcpxml: return [EditorFile("\(stem).fcpxml", FinalCutXML.text(of: project))]
    case .audacity:
      return [
        EditorFile("\(stem).lof", try AudacityList.files(of: project)),
        EditorFile("\(stem).labels.txt", AudacityList.labels(of: project)),
      ]
    case .ale: return [EditorFile("\(stem).ale", AvidLog.text(of: project))]
    case .csv: return [EditorFile("\(stem).csv", SoundReport.text(of: project))]
    }
  }
}

/// A file for an editor.
public struct EditorFile: Hashable, Sendable {
  /// Its name, with a folder where the format wants one.
  public let name: String
  public let text: String

  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }
}

/// What a format has no way to say.
public enum EditorExportError: Error, Hashable, Sendable, CustomStringConvertible {
  case unwritablePath(String, format: EditorFormat)

  public var description: String {
    switch self {
    case .unwritablePath(let path, let format):
      "the path \"\(path)\" cannot be written in the format \(format.rawValue): it holds a quotation "
        + "mark or a line break; rename the file"
    }
  }
}
