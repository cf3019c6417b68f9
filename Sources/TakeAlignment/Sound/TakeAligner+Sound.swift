internal import Alignment
internal import BroadcastWave
internal import Units

extension TakeAligner {
  /// Places files by what they have in common to hear.
  func runBySound(
    _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> AlignmentReport {
    var paths = try TakeFolder.soundFiles(of: options.inputs)
    if let reference = options.reference, !paths.contains(where: { Self.isSame($0, reference) }) {
      guard TakeFolder.exists(reference) else { throw .noSuchInput(path: reference) }
      paths.insert(reference, at: 0)
    }
    guard paths.count > 1 else { throw .oneFileOnly(file: paths.first ?? ".") }
    var inputs: [SoundInput] = []
    for path in paths {
      progress(.reading(file: path))
      inputs.append(try SoundInput(path: path))
    }
    let reference = options.reference.flatMap { chosen in
      inputs.firstIndex { Self.isSame($0.path, chosen) }
    }
    let alignment = try Self.compared(inputs, reference: reference ?? 0, progress)
    let scene = SoundScene(inputs: inputs, alignment: alignment)
    let folder = outputFolder(besides: inputs[0].path)
    let parts = scene.parts
    let rendered = try render(parts.map(\.part), to: folder, progress)
    var outputs = inputs.map { _ in "" }
    for (part, path) in zip(parts, rendered) { outputs[part.index] = path }
    let report = scene.report(
      outputs: outputs, folder: options.onlyReports ? "" : folder, format: options.format)
    try finish(
      report, series: scene.series, frameRate: parts[0].part.subject.frameRate,
      markers: Self.markers(of: parts.map(\.part)), in: folder)
    return report
  }

  static func compared(
    _ inputs: [SoundInput], reference: Int, _ progress: (AlignmentProgress) -> Void
  ) throws(AlignmentError) -> SoundAlignment {
    do {
      return try SoundAligner(
        sources: inputs.map(\.sound), reference: reference, workers: ThreadWorkers()
      ).align { progress(.comparing(fraction: $0)) }
    } catch {
      throw .unreadable(file: inputs[reference].path, reason: error.description)
    }
  }
}
