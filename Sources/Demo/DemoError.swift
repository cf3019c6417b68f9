/// Why a demo could not be carried through, as a sentence, with what the program ends with.
package struct DemoError: Error, CustomStringConvertible {
  package let description: String
  let exitCode: Int32

  private init(_ description: String, exitCode: Int32) {
    self.description = description
    self.exitCode = exitCode
  }

  /// Someone pressed Ctrl-C, or asked this process to end.
  static let interrupted = DemoError("interrupted", exitCode: 130)

  /// Something went otherwise than it should.
  static func failed(_ words: String) -> DemoError { DemoError(words, exitCode: 1) }

  /// The program is not whole.
  static func missing(_ library: String, beside folder: String) -> DemoError {
    DemoError(
      "\(library) is not in \(folder), and without it there are no virtual cards and clocks; "
        + "it is made by: swift build -c release (\"swift run\" alone does not make it)",
      exitCode: 78)
  }
}
