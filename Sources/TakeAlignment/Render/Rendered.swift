/// What rendering made of a raw file.
struct Rendered {
  /// The file that it went into; empty where nothing was rendered.
  let path: String
  /// The first of its channels there, from 1, where others share the file.
  var channel: Int?
  /// Samples beyond full scale, which integers cannot hold.
  var clipped: Int64 = 0

  /// Adds to `file` what there is to say.
  func mark(_ file: inout AlignedFile) {
    file.outputChannel = channel
    guard clipped > 0 else { return }
    file.warnings.append(
      "\(clipped) samples lie beyond full scale and are clipped; --format float keeps them")
    if file.verdict == .good { file.verdict = .check }
  }
}
