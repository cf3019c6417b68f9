import BroadcastWave

/// A sound file as recorders of other makers lay it out, built from their description.
struct ForeignFile {
  /// As iXML writes it, such as `24000/1001`; nothing where the file does not tell.
  var frameRate: String?
  var flag = "NDF"
  var timeReference: UInt64
  /// What iXML says, where it is something else.
  var ixmlReference: UInt64?
  var hertz = 48_000
  var channels = 1
  /// Numbers of 32 bits in floating point instead of 24-bit integers.
  var isFloat = false
  /// Interleaved, full scale 1.
  var samples: [Double]

  /// A mono recorder's file with `samples`.
  init(frameRate: String?, timeReference: UInt64, hertz: Int = 48_000, samples: [Double]) {
    self.frameRate = frameRate
    self.timeReference = timeReference
    self.hertz = hertz
    self.samples = samples
  }

  /// As Zoom's F series does: bext and iXML in front, and the description line by line.
  var zoom: [UInt8] {
    Self.riff([
      (
        "bext", bext(originator: "ZOOM F8n", description: "zSCENE=12\r\nzTAKE=001\r\nzTRK1=Tr1\r\n")
      ),
      ("iXML", ixml(version: "1.61")), ("fmt ", format), ("data", data),
    ])
  }

  /// As Sound Devices' 7 series does: iXML behind the audio, padded with blanks.
  var soundDevices: [UInt8] {
    let speed = (frameRate == "24000/1001" ? "023.976" : "025.000") + "-ND"
    let description = "sSPEED=\(speed)\r\nsTAKE=16\r\nsSWVER=2.67\r\n"
    return Self.riff([
      ("fmt ", format), ("bext", bext(originator: "SoundDev: 702T", description: description)),
      ("data", data), ("iXML", ixml(version: "1.5") + [UInt8](repeating: 32, count: 512)),
    ])
  }

  /// As programs do that know of no timecode.
  var plain: [UInt8] { Self.riff([("fmt ", format), ("data", data)]) }

  /// With bext alone, as pocket recorders do.
  var bextAlone: [UInt8] {
    Self.riff([
      ("fmt ", format), ("bext", bext(originator: "ZOOM H5", description: "")), ("data", data),
    ])
  }

  private func bext(originator: String, description: String) -> [UInt8] {
    Bext(
      description: description, originator: originator, originatorReference: "",
      begins: CivilTime(unixNanoseconds: 0, utcOffsetSeconds: 0), timeReference: timeReference,
      codingHistory: "A=PCM,F=\(hertz),W=24,M=mono,T=\(originator)\r\n"
    ).body
  }

  private func ixml(version: String) -> [UInt8] {
    guard let frameRate else { return Array("<BWFXML></BWFXML>".utf8) }
    let reference = ixmlReference ?? timeReference
    let speed = """
      <SPEED><MASTER_SPEED>\(frameRate)</MASTER_SPEED><CURRENT_SPEED>\(frameRate)</CURRENT_SPEED>\
      <TIMECODE_RATE>\(frameRate)</TIMECODE_RATE><TIMECODE_FLAG>\(flag)</TIMECODE_FLAG>\
      <FILE_SAMPLE_RATE>\(hertz)</FILE_SAMPLE_RATE><TIMESTAMP_SAMPLE_RATE>\(hertz)</TIMESTAMP_SAMPLE_RATE>\
      <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>\(reference >> 32)</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>\
      <TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>\(reference & 0xffff_ffff)</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>\
      </SPEED>
      """
    let text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><BWFXML><IXML_VERSION>\(version)</IXML_VERSION>"
      + "\(speed)</BWFXML>"
    return Array(text.utf8)
  }

  private var format: [UInt8] {
    let width = isFloat ? 4 : 3
    return Self.word(isFloat ? 3 : 1, 2) + Self.word(UInt64(channels), 2)
      + Self.word(UInt64(hertz), 4) + Self.word(UInt64(hertz * channels * width), 4)
      + Self.word(UInt64(channels * width), 2) + Self.word(UInt64(8 * width), 2)
  }

  private var data: [UInt8] {
    if isFloat { return samples.flatMap { Self.word(UInt64(Float($0).bitPattern), 4) } }
    return samples.flatMap { sample in
      let value = min(8_388_607, max(-8_388_608, (sample * 8_388_608).rounded()))
      return Self.word(UInt64(truncatingIfNeeded: Int64(value)), 3)
    }
  }

  private static func riff(_ chunks: [(name: String, body: [UInt8])]) -> [UInt8] {
    var bytes = Array("WAVE".utf8)
    for chunk in chunks {
      bytes += Array(chunk.name.utf8) + word(UInt64(chunk.body.count), 4) + chunk.body
      if chunk.body.count % 2 == 1 { bytes.append(0) }
    }
    return Array("RIFF".utf8) + word(UInt64(bytes.count), 4) + bytes
  }

  private static func word(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }
}
