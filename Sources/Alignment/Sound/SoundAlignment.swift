/// Where each sound lies, as far as the sounds tell.
public struct SoundAlignment: Sendable {
  /// Samples a second at which the sounds were compared.
  public let hertz: Double
  /// The number of the sound whose timeline the others are laid onto.
  public let reference: Int
  /// Where each sound lies, in the order of the sounds.
  public let places: [SoundPlace]
  /// What came of each pair that was compared.
  public let findings: [PairFinding]
  /// By how many seconds each pair is off what all pairs agree on, in their order.
  public let closures: [Double]

  init(hertz: Double, lengths: [Double], reference: Int, findings: [PairFinding]) {
    self.hertz = hertz
    self.reference = reference
    self.findings = findings
    var edges: [PairGraph.Edge] = []
    var origins: [Int] = []
    for (index, finding) in findings.enumerated() where finding.isFound {
      guard let comparison = finding.comparison else { continue }
      edges.append(PairGraph.Edge(finding, comparison))
      origins.append(index)
    }
    let graph = PairGraph(count: lengths.count, edges: edges, reference: reference)
    var closures = [Double](repeating: 0, count: findings.count)
    for (edge, origin) in zip(graph.edges, origins) { closures[origin] = edge.residual / hertz }
    self.closures = closures
    places = lengths.indices.map { index in
      SoundPlace(
        index, graph: graph, findings: findings, hertz: hertz, length: lengths[index])
    }
  }
}

extension PairGraph.Edge {
  init(_ finding: PairFinding, _ comparison: PairComparison) {
    let range = comparison.overlap
    let middle = Double(range.lowerBound + range.upperBound) / 2
    let line = DelayModel(offset: comparison.model.offset, slope: comparison.model.slope)
    self.init(
      one: finding.one, other: finding.other, middle: middle, delay: line.delay(at: middle),
      slope: line.slope, delaySigma: comparison.delaySigma, slopeSigma: comparison.slopeSigma)
  }
}
