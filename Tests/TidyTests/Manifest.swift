/// The targets of Package.swift with their declared dependencies, read from its text.
struct Manifest {
  /// Each target's name with the names it depends on.
  let dependencies: [String: [String]]

  init(text: String) throws {
    var found: [String: [String]] = [:]
    let target = #/\.(?:target|executableTarget|testTarget|systemLibrary)\(\s*name: "(\w+)"/#
    let list = #/dependencies: \[([^\]]*)\]/#
    let name = #/"(\w+)"/#
    let matches = text.matches(of: target)
    for (place, match) in matches.enumerated() {
      let end = place + 1 < matches.count ? matches[place + 1].range.lowerBound : text.endIndex
      let body = text[match.range.upperBound..<end]
      let names = try list.firstMatch(in: body).map { found in
        found.output.1.matches(of: name).map { String($0.output.1) }
      }
      found[String(match.output.1)] = names ?? []
    }
    dependencies = found
  }
}
