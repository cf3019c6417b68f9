internal import CBatchFFT

/// The discrete Fourier transforms of eight real sequences of one length at once, and their
/// inverses: each sequence in a lane of the processor's vectors, which takes a sixth of the time of
/// one after another.
///
/// Sequences and spectra lie one behind the other. Bins and scales are those of ``RealFFT``. A
/// transform owns its scratch memory, so each thread has its own; the plan is shared.
@safe public struct BatchFFT: ~Copyable {
  /// Sequences that are transformed at once.
  public static let lanes = Int(recorder_batch_lanes)

  /// The tables for one length.
  public final class Plan: Sendable {
    /// The length of a sequence: a power of two.
    public let count: Int
    /// Bins of a spectrum.
    public var bins: Int { count / 2 + 1 }

    fileprivate let table: [Float]
    fileprivate let order: [Int32]

    /// Plans transforms of `count` samples, a power of two of at least 32.
    ///
    /// The corresponding C function is `recorder_batch_plan`.
    public init(count: Int) {
      precondition(
        count >= 32 && count & (count - 1) == 0, "a batch takes a power of two, not \(count)")
      self.count = count
      var table = [Float](repeating: 0, count: Int(recorder_batch_table_floats(Int32(count))))
      var order = [Int32](repeating: 0, count: count / 2)
      unsafe recorder_batch_plan(Int32(count), &table, &order)
      self.table = table
      self.order = order
    }
  }

  private let plan: Plan
  private let scratch: UnsafeMutableRawPointer

  /// Makes a transform of the plan's length.
  public init(_ plan: Plan) {
    self.plan = plan
    unsafe scratch = UnsafeMutableRawPointer.allocate(
      byteCount: Self.lanes * plan.count * MemoryLayout<Float>.stride, alignment: 64)
  }

  deinit { unsafe scratch.deallocate() }

  /// The spectra of ``lanes`` sequences.
  ///
  /// The corresponding C function is `recorder_batch_forward`.
  public func spectra(of sequences: [Float]) -> [SIMD2<Float>] {
    precondition(sequences.count == Self.lanes * plan.count, "\(sequences.count) samples")
    let size = Self.lanes * plan.bins
    return unsafe [SIMD2<Float>](unsafeUninitializedCapacity: size) { output, used in
      unsafe output.withMemoryRebound(to: Float.self) { bins in
        unsafe recorder_batch_forward(
          Int32(plan.count), plan.table, plan.order,
          scratch.assumingMemoryBound(to: Float.self), sequences, bins.baseAddress)
      }
      used = size
    }
  }

  /// The sequences of ``lanes`` spectra.
  ///
  /// The corresponding C function is `recorder_batch_inverse`.
  public func sequences(of spectra: [SIMD2<Float>]) -> [Float] {
    precondition(spectra.count == Self.lanes * plan.bins, "\(spectra.count) bins")
    let size = Self.lanes * plan.count
    return unsafe [Float](unsafeUninitializedCapacity: size) { output, used in
      unsafe spectra.withUnsafeBufferPointer { input in
        unsafe input.withMemoryRebound(to: Float.self) { bins in
          unsafe recorder_batch_inverse(
            Int32(plan.count), plan.table, plan.order,
            scratch.assumingMemoryBound(to: Float.self), bins.baseAddress, output.baseAddress)
        }
      }
      used = size
    }
  }
}
