/// What was seen of the folders that takes go to, before a card is armed.
public struct FolderLook: Sendable {
  struct Folder: Sendable {
    let path: String
    let freeBytes: Int64?
  }

  /// Nothing was seen: the disks of a host that is armed already are busy with something else, and its
  /// ring waits for them.
  public static let none = FolderLook(found: .success([]))

  private let found: Result<[Folder], CaptureError>

  private init(found: Result<[Folder], CaptureError>) { self.found = found }

  init(of paths: [String]) {
    found = Result { () throws(CaptureError) in
      var folders: [Folder] = []
      for path in paths {
        try OutputFile.makeFolders(path)
        folders.append(Folder(path: path, freeBytes: OutputFile.freeBytes(at: path)))
      }
      return folders
    }
  }

  func room() throws(CaptureError) -> [Folder] { try found.get() }
}
