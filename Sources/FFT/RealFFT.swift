internal import CKissFFT

/// The discrete Fourier transform of real sequences of one length, and its inverse.
///
/// A bin is a pair: its real part in `x`, its imaginary part in `y`. A spectrum has `count / 2 + 1`
/// bins, from 0 to half the sampling rate. Nothing is scaled on the way there; the inverse of a
/// spectrum is scaled by 1 / `count`, so that there and back is the identity.
///
/// A transform owns its plan and its scratch memory, so each thread has its own.
@safe public struct RealFFT: ~Copyable {
  /// The length of a sequence: even.
  public let count: Int
  /// Bins of a spectrum.
  public var bins: Int { count / 2 + 1 }

  private let forwardPlan: OpaquePointer
  private let inversePlan: OpaquePointer

  /// Plans transforms of `count` samples, an even number of at least 2; powers of four are the
  /// fastest.
  ///
  /// The corresponding C function is `kiss_fftr_alloc`.
  public init(count: Int) {
    precondition(count >= 2 && count % 2 == 0, "a transform takes an even count, not \(count)")
    guard
      let forward = unsafe kiss_fftr_alloc(Int32(count), 0, nil, nil),
      let inverse = unsafe kiss_fftr_alloc(Int32(count), 1, nil, nil)
    else { preconditionFailure("there is no memory for a transform of \(count) samples") }
    self.count = count
    unsafe forwardPlan = forward
    unsafe inversePlan = inverse
  }

  deinit {
    unsafe recorder_kiss_free(UnsafeMutableRawPointer(forwardPlan))
    unsafe recorder_kiss_free(UnsafeMutableRawPointer(inversePlan))
  }

  /// The spectrum of `samples`, which are ``count``.
  ///
  /// The corresponding C function is `kiss_fftr`.
  public func spectrum(of samples: [Float]) -> [SIMD2<Float>] {
    precondition(samples.count == count, "\(samples.count) samples, not \(count)")
    return unsafe [SIMD2<Float>](unsafeUninitializedCapacity: bins) { output, used in
      unsafe samples.withUnsafeBufferPointer { input in
        unsafe output.withMemoryRebound(to: kiss_fft_cpx.self) { bins in
          unsafe kiss_fftr(forwardPlan, input.baseAddress, bins.baseAddress)
        }
      }
      used = bins
    }
  }

  /// The sequence whose spectrum is `spectrum`, which has ``bins`` bins.
  ///
  /// The corresponding C function is `kiss_fftri`.
  public func sequence(of spectrum: [SIMD2<Float>]) -> [Float] {
    precondition(spectrum.count == bins, "\(spectrum.count) bins, not \(bins)")
    let scale = 1 / Float(count)
    return unsafe [Float](unsafeUninitializedCapacity: count) { output, used in
      unsafe spectrum.withUnsafeBufferPointer { input in
        unsafe input.withMemoryRebound(to: kiss_fft_cpx.self) { bins in
          unsafe kiss_fftri(inversePlan, bins.baseAddress, output.baseAddress)
        }
      }
      for place in 0..<count { unsafe output[place] *= scale }
      used = count
    }
  }
}
