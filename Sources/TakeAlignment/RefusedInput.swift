internal import BroadcastWave
internal import Units

/// A file that has no place among others that have: it is listed with its reason, and they go on.
struct RefusedInput {
  let input: TakeAligner.Input
  let error: AlignmentError

  /// The files of `inputs` that `read` makes something of, several at once, and the others with their
  /// reasons.
  ///
  /// - Throws: what is wrong with more than one file.
  static func sorted<File: Sendable>(
    _ inputs: [TakeAligner.Input],
    _ read: @Sendable (TakeAligner.Input) throws(AlignmentError) -> File
  ) throws(AlignmentError) -> (files: [File], refused: [RefusedInput]) {
    let results: [Result<File, AlignmentError>] = ThreadWorkers().map(inputs.count) { place in
      do throws(AlignmentError) { return .success(try read(inputs[place])) } catch {
        return .failure(error)
      }
    }
    var files: [File] = []
    var refused: [RefusedInput] = []
    for (input, result) in zip(inputs, results) {
      switch result {
      case .success(let file): files.append(file)
      case .failure(let error):
        guard error.refusal != nil else { throw error }
        refused.append(RefusedInput(input: input, error: error))
      }
    }
    return (files, refused)
  }

  /// What the report says of it.
  var report: AlignedFile {
    let wave = try? InputFile(path: input.path).wave()
    return AlignedFile(
      path: input.path, output: "", label: FilePath.soundStem(input.name), peer: nil,
      frames: wave.map { Int64(clamping: $0.frames) } ?? 0, channels: wave?.format.channels ?? 0,
      sampleRateHertz: wave?.format.sampleRate.hertz ?? 0, offsetSeconds: 0, ppm: 0, map: [],
      confidence: 0, matched: false, verdict: .bad, jitterBoundNanoseconds: 0,
      pathLimitNanoseconds: 0, residualNanoseconds: 0, worstResidualNanoseconds: 0,
      observations: 0, gaps: 0, isCopy: false, warnings: [error.refusal ?? "\(error)"])
  }
}

extension [RefusedInput] {
  /// Adds them to a report.
  func mark(_ report: inout AlignmentReport) {
    for refused in self { report.files[refused.input.name] = refused.report }
  }

  /// Throws where nothing else is left, or where the file that is chosen as the reference is among
  /// them.
  func check(left: Int, reference: String?) throws(AlignmentError) {
    let chosen = first { refused in
      reference.map { TakeAligner.isSame($0, refused.input.path) } ?? false
    }
    if let error = chosen?.error ?? (left == 0 ? first?.error : nil) { throw error }
  }
}

extension AlignmentError {
  /// What is wrong with one file alone, in words that follow its name; nothing where no other file
  /// can go on either.
  var refusal: String? {
    switch self {
    case .noTimingLog:
      "it has no timing log beside it and no timecode in it, so nothing tells when it was recorded; "
        + "try --by sound"
    case .unreadableLog(_, let reason): "its timing log cannot be read: \(reason)"
    case .contradiction(_, let reason): "it and its timing log contradict each other: \(reason)"
    case .differentTakes(let one, _):
      "it is of another take than \"\(FilePath.name(one))\"; align one take at a time"
    case .noFit(_, let reason): "it cannot be placed: \(reason)"
    case .unreadable(_, let reason): "it cannot be read: \(reason)"
    case .silent: "it holds no sound: every sample of it is the same"
    default: nil
    }
  }
}
