internal import Alignment
internal import BroadcastWave
internal import Units

extension TakeAligner {
  /// Places files by what they have in common to hear.
  func runBySound(
    _ files: [Input], _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> AlignmentReport {
    guard files.count > 1 else { throw .oneFileOnly(file: files[0].path) }
    // Pairs are told along the other file, so the reference comes first.
    let chosen = options.reference.flatMap { reference in
      files.firstIndex { Self.isSame($0.path, reference) }
    }
    let order = [chosen ?? 0] + files.indices.filter { $0 != chosen ?? 0 }
    for index in order { progress(.reading(file: files[index].path)) }
    let (inputs, refused) = try RefusedInput.sorted(order.map { files[$0] }) {
      input throws(AlignmentError) in try SoundInput(input)
    }
    // One alone has nothing to be compared with.
    try refused.check(left: inputs.count / 2, reference: options.reference)
    let alignment = try Self.compared(inputs, reference: 0, progress)
    let scene = SoundScene(inputs: inputs, alignment: alignment)
    let folder = outputFolder(besides: files[0].path)
    let parts = scene.parts
    let interruption = Interruption()
    let rendered = try render(parts.map(\.part), to: folder, interruption, progress)
    var outcomes = inputs.map { _ in Rendered(path: "") }
    for (part, outcome) in zip(parts, rendered) { outcomes[part.index] = outcome }
    var report = scene.report(
      of: outcomes, folder: options.onlyReports ? "" : folder, format: options.format)
    refused.mark(&report)
    try finish(
      report, series: scene.series, subjects: scene.subjects, parts: parts.map(\.part),
      in: folder)
    return report
  }

  static func compared(
    _ inputs: [SoundInput], reference: Int, _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> SoundAlignment {
    let seconds = inputs.reduce(0) { $0 + Double($1.sound.frames) / $1.sound.hertz }
    do {
      return try SoundAligner(
        sources: inputs.map(\.sound), reference: reference, workers: ThreadWorkers()
      ).align { progress(.comparing(fraction: $0, seconds: seconds)) }
    } catch {
      throw .unreadable(file: inputs[reference].path, reason: error.description)
    }
  }
}
