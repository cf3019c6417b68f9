internal import Demo

/// `recorder demo`: a whole fleet on this machine.
struct DemoCommand {
  private let options: DemoOptions

  init(line: ParsedLine, environment: @escaping (String) -> String?) throws(UsageError) {
    let reader = OptionReader(line: line)
    var options = DemoOptions(
      keepsFiles: line.has("--keep"), json: line.has("--json"),
      output: line.value("--output") ?? UserPlaces(environment: environment).recordings)
    options.hosts = try reader.number("--hosts", in: DemoOptions.hostCounts) ?? options.hosts
    options.seconds = try reader.number("--seconds", in: DemoOptions.lengths) ?? options.seconds
    options.seed = try reader.seed("--seed") ?? options.seed
    self.options = options
  }

  func run() -> Int32 { DemoStage(options: options).run() }
}
