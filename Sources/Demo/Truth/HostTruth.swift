package import AcousticScene

/// What is true of one host of a demo and what the product is not told.
package struct HostTruth: Sendable {
  /// What the host is called, such as `rec-a`; no two alike.
  package let label: String
  /// What its process reads from its clocks.
  package let clock: SkewedClockModel
  /// What paces its card.
  package let crystal: CrystalModel
  /// How long sound takes to its microphone.
  package let delaySeconds: Double
  /// The microphone's own noise, rms.
  package let noiseDbfs: Double
  /// Names the noise.
  package let noiseSeed: UInt64
  /// The card's only sample format, by ALSA's name.
  package let format: String

  /// Makes the truth of its parts.
  package init(
    label: String, clock: SkewedClockModel, crystal: CrystalModel, delaySeconds: Double,
    noiseDbfs: Double = -80, noiseSeed: UInt64 = 1, format: String = "S24_3LE"
  ) {
    self.label = label
    self.clock = clock
    self.crystal = crystal
    self.delaySeconds = delaySeconds
    self.noiseDbfs = noiseDbfs
    self.noiseSeed = noiseSeed
    self.format = format
  }

  /// The ALSA configuration by which `pcm` is this host's virtual card.
  func soundConfiguration(pcm: String, library: String, scenePath: String) -> String {
    """
    pcm_type.recorder_virtual { lib "\(library)" }
    pcm.\(pcm) {
      type recorder_virtual
      scene "\(scenePath)"
      scene_rate 48000
      origin_ns \(crystal.origin.nanoseconds)
      rate \(Int(crystal.rateHertz))
      channels 1
      format \(format)
      ppm \(crystal.partsPerMillion)
      wander_ppm \(crystal.wanderPartsPerMillion)
      wander_period_s \(crystal.wanderPeriodSeconds)
      delay_ns \(Int64((delaySeconds * 1e9).rounded()))
      noise_dbfs \(noiseDbfs)
      seed \(noiseSeed)
    }

    """
  }
}
