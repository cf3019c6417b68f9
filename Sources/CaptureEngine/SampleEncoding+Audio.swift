internal import BroadcastWave

extension SampleEncoding {
  /// The size of a sample in bytes.
  var bytes: Int { bits / 8 }

  /// The samples of `audio`, stored so, of full scale 1.
  func floats(of audio: [UInt8]) -> [Float] {
    audio.withUnsafeBytes { source in
      (0..<source.count / bytes).map { sample in
        switch self {
        case .float32: source.loadUnaligned(fromByteOffset: 4 * sample, as: Float.self)
        case .integer(16):
          Float(source.loadUnaligned(fromByteOffset: 2 * sample, as: Int16.self)) / 32_768
        case .integer(24):
          Float(
            Int32(source[3 * sample]) | Int32(source[3 * sample + 1]) << 8
              | Int32(Int8(bitPattern: source[3 * sample + 2])) << 16) / 8_388_608
        case .integer:
          Float(source.loadUnaligned(fromByteOffset: 4 * sample, as: Int32.self)) / 2_147_483_648
        }
      }
    }
  }

  /// One channel of whole frames of `channels`.
  func channel(_ channel: Int, of channels: Int, in audio: [UInt8]) -> [UInt8] {
    let width = bytes
    let frames = audio.count / (width * channels)
    return [UInt8](unsafeUninitializedCapacity: frames * width) { target, used in
      used = frames * width
      audio.withUnsafeBytes { source in
        for frame in 0..<frames {
          let from = (frame * channels + channel) * width
          for byte in 0..<width { target[frame * width + byte] = source[from + byte] }
        }
      }
    }
  }
}
