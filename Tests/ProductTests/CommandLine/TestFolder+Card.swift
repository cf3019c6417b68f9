import TestFolders

extension TestFolder {
  /// The files below that end in `suffix`, whole paths, sorted.
  func files(_ suffix: String) -> [String] {
    files.filter { $0.hasSuffix(suffix) }.map { "\(path)/\($0)" }
  }

  /// Writes an ALSA configuration with one virtual card, `microphone`, at 48 kHz, which hears
  /// silence and its own noise.
  func card(ppm: Double, isBusy: Bool = false, channels: Int = 1) -> String {
    let silence = write([UInt8](repeating: 0, count: 4 * 4800), to: "scene.f32")
    let text = """
      pcm_type.recorder_virtual { lib "\(Program.folder)/libCVirtualCard.so" }
      pcm.microphone {
        type recorder_virtual
        scene "\(silence)"
        origin_ns 0
        rate 48000
        channels \(channels)
        format S24_3LE
        ppm \(ppm)
        busy \(isBusy ? 1 : 0)
      }

      """
    return write(Array(text.utf8), to: "asoundrc")
  }

  /// What is in the file at `path`, wherever it is.
  static func text(of path: String) -> String {
    String(decoding: contents(of: path), as: UTF8.self)
  }
}
