internal import CBatchFFT

/// The discrete Fourier transforms of eight real sequences of one length at once, and their
/// inverses: each sequence in a lane of the processor's vectors, which takes an eighth of the time
/// of one after another.
///
/// Nothing is scaled on the way there; the inverse is scaled by 1 / `count`, so that there and back
/// is the identity. A transform owns its scratch memory, so each thread has its own; the plan is
/// shared.
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

  /// Writes the spectra of ``lanes`` sequences, which lie one behind the other, into `spectra`,
  /// which has as many.
  ///
  /// The corresponding C function is `recorder_batch_forward`.
  public func transform(_ sequences: [Float], into spectra: inout Spectra) {
    precondition(sequences.count == Self.lanes * plan.count, "\(sequences.count) samples")
    precondition(spectra.values.count == Self.lanes * 2 * plan.bins, "\(spectra.count) spectra")
    unsafe recorder_batch_forward(
      Int32(plan.count), plan.table, plan.order, scratch.assumingMemoryBound(to: Float.self),
      sequences, &spectra.values)
  }

  /// Makes `spectra` of the ``lanes`` sequences that `fill` puts in their place, one behind the other
  /// from the front on: so no room is needed for both.
  ///
  /// The corresponding C function is `recorder_batch_forward`.
  public func transform(_ spectra: inout Spectra, filled fill: (inout [Float]) -> Void) {
    fill(&spectra.values)
    precondition(spectra.values.count == Self.lanes * 2 * plan.bins, "\(spectra.count) spectra")
    unsafe spectra.values.withUnsafeMutableBufferPointer { values in
      guard let base = values.baseAddress else { return }
      unsafe recorder_batch_forward(
        Int32(plan.count), plan.table, plan.order, scratch.assumingMemoryBound(to: Float.self),
        base, base)
    }
  }

  /// Writes the sequences of ``lanes`` spectra into `sequences`, one behind the other.
  ///
  /// The corresponding C function is `recorder_batch_inverse`.
  public func invert(_ spectra: Spectra, into sequences: inout [Float]) {
    precondition(spectra.values.count == Self.lanes * 2 * plan.bins, "\(spectra.count) spectra")
    precondition(sequences.count == Self.lanes * plan.count, "\(sequences.count) samples")
    unsafe recorder_batch_inverse(
      Int32(plan.count), plan.table, plan.order, scratch.assumingMemoryBound(to: Float.self),
      spectra.values, &sequences)
  }

  /// Adds to `levels` how loud ``lanes`` frames of `sound` are in bands: frame by frame, in steps
  /// of 0.75 dB above −140 dB.
  ///
  /// - Parameters:
  ///   - start: where in `sound` the first frame begins; each further one begins `hop` samples
  ///     later.
  ///   - window: what the frames are shaped by.
  ///   - limits: the bins at which bands begin, and the one behind the last; from 1 on.
  ///
  /// The corresponding C functions are `recorder_batch_bands` and `recorder_levels`.
  public func addLevels(
    of sound: [Float], from start: Int, hop: Int, window: [Float], limits: [Int32],
    to levels: inout [UInt8]
  ) {
    let bands = limits.count - 1
    precondition(window.count == plan.count && bands > 0 && bands <= 32, "\(bands) bands")
    precondition(
      limits[0] > 0 && limits[bands] < plan.bins
        && start + (Self.lanes - 1) * hop + plan.count <= sound.count,
      "frames beyond \(sound.count) samples, or bands beyond \(plan.bins) bins")
    var powers = [Float](repeating: 0, count: Self.lanes * bands)
    unsafe sound.withUnsafeBufferPointer { sound in
      guard let base = sound.baseAddress else { return }
      unsafe recorder_batch_bands(
        Int32(plan.count), plan.table, plan.order, scratch.assumingMemoryBound(to: Float.self),
        base + start, Int32(hop), window, limits, Int32(bands), &powers)
    }
    levels += unsafe [UInt8](unsafeUninitializedCapacity: Self.lanes * bands) { output, used in
      guard let base = output.baseAddress else { return }
      unsafe recorder_levels(powers, Int32(bands), base)
      used = Self.lanes * bands
    }
  }
}
