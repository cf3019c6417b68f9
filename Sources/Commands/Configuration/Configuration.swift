internal import INI

/// The daemon's settings from all places: a flag goes before the environment, that before the
/// user's file, that before the machine's, that before the default.
///
/// A setting that may be given several times comes from one place as a whole.
struct Configuration {
  /// The daemon's options with the settings of all places filled in.
  let line: ParsedLine
  /// Where each option's value comes from.
  let origins: [String: Origin]
  /// The files that were looked at, and whether they are there.
  let files: [(path: String, isThere: Bool)]
  /// What is wrong with what the files say, in the order of its places.
  let problems: [ConfigurationError]

  /// A value of an option, before it is known whether a better place has another.
  private struct Setting {
    var values: [String]
    let origin: Origin
  }

  /// Gathers the settings around what stands on the command line.
  init(line given: ParsedLine, environment: (String) -> String?) {
    let options = Self.options
    var values = given.values
    var origins: [String: Origin] = [:]
    for option in options where given.has(option.name) { origins[option.name] = .flag }
    var files: [(path: String, isThere: Bool)] = []
    var problems: [ConfigurationError] = []
    var places = [Self.fromEnvironment(options, environment)]
    for path in Self.paths(given, environment) {
      let isNamed = given.has("--config") || environment("RECORDER_CONFIG") != nil
      let settings = Self.fromFile(path, options, mustBeThere: isNamed, &problems)
      files.append((path, settings != nil))
      places.append(settings ?? [:])
    }
    for place in places {
      for (name, setting) in place where origins[name] == nil {
        origins[name] = setting.origin
        // A switch that is off is as good as not said, but a lesser place must not turn it on.
        if !setting.values.isEmpty { values[name] = setting.values }
      }
    }
    line = ParsedLine(command: given.command, values: values, operands: given.operands)
    self.origins = origins
    self.files = files
    self.problems = problems
  }

  /// What can be set: all that the daemon takes, but what is for programs or for one run.
  static var options: [OptionSpec] {
    let onlyFlags: Set<String> = ["--json", "--config"]
    return (CommandTable.command("daemon")?.options ?? []).filter {
      !$0.isHidden && !onlyFlags.contains($0.name)
    }
  }

  /// What `make` makes of the settings; where files or the environment have bad ones, all of those
  /// are told.
  func made<Product>(
    _ make: (ParsedLine) throws(UsageError) -> Product
  ) throws(SettingsRefusal) -> Product {
    var (line, found) = (line, problems)
    while true {
      let product: Product
      do throws(UsageError) {
        product = try make(line)
      } catch {
        // What is bad is left out, to find what else is.
        guard let explained = explain(error), let option = error.option, line.has(option) else {
          throw found.isEmpty ? .usage(error) : .configuration(found)
        }
        found.append(explained)
        line = line.without(option)
        continue
      }
      guard found.isEmpty else { throw .configuration(found) }
      return product
    }
  }

  /// What is wrong with `error`'s value, said of the place that it came from.
  private func explain(_ error: UsageError) -> ConfigurationError? {
    guard let option = error.option, let origin = origins[option], origin != .flag else {
      return nil
    }
    return .bad(origin: origin, reason: "\(error)")
  }

  private static func paths(
    _ line: ParsedLine, _ environment: (String) -> String?
  ) -> [String] {
    if let path = line.value("--config") ?? environment("RECORDER_CONFIG") { return [path] }
    let user = environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.config" : nil }
    return [user ?? home].compactMap(\.self).map { $0 + "/recorder/recorder.conf" }
      + ["/etc/recorder.conf"]
  }

  private static func fromEnvironment(
    _ options: [OptionSpec], _ environment: (String) -> String?
  ) -> [String: Setting] {
    var settings: [String: Setting] = [:]
    for option in options {
      let variable = variable(for: option)
      guard let value = environment(variable), !value.isEmpty else { continue }
      settings[option.name] = Setting(
        values: values(of: option, value) ?? [value], origin: .environment(variable: variable))
    }
    return settings
  }

  /// `RECORDER_SYNC_INTERVAL` for `--sync-interval`.
  static func variable(for option: OptionSpec) -> String {
    "RECORDER_" + option.name.drop { $0 == "-" }.uppercased().map { $0 == "-" ? "_" : $0 }
  }

  private static func fromFile(
    _ path: String, _ options: [OptionSpec], mustBeThere: Bool,
    _ problems: inout [ConfigurationError]
  ) -> [String: Setting]? {
    let text: [UInt8]
    switch TextFile.read(path, upToBytes: INIReader.longestText + 1) {
    case .absent:
      guard mustBeThere else { return nil }
      problems.append(.unreadable(path: path, reason: "there is no such file"))
      return nil
    case .unreadable(let reason):
      problems.append(.unreadable(path: path, reason: reason))
      return nil
    case .bytes(let bytes): text = bytes
    }
    let (entries, errors) = INIReader.reading(of: text)
    var found = errors.map { Self.problem($0, path: path) }
    var settings: [String: Setting] = [:]
    for entry in entries {
      do throws(ConfigurationError) {
        try take(entry, of: path, options, into: &settings)
      } catch {
        found.append(error)
      }
    }
    problems += found.sorted { $0.line < $1.line }
    return settings
  }

  private static func take(
    _ entry: INIEntry, of path: String, _ options: [OptionSpec],
    into settings: inout [String: Setting]
  ) throws(ConfigurationError) {
    let origin = Origin.file(path: path, line: entry.line)
    guard entry.section.isEmpty || entry.section == "daemon" else {
      throw .bad(origin: origin, reason: "there is no section [\(entry.section)]; use [daemon]")
    }
    guard let option = options.first(where: { $0.name == "--" + entry.key }) else {
      let keys = options.map { String($0.name.dropFirst(2)) }
      throw .bad(
        origin: origin,
        reason: "there is no setting \"\(entry.key)\""
          + Suggestion.hint(for: entry.key, among: keys))
    }
    guard let values = values(of: option, entry.value) else {
      throw .bad(origin: origin, reason: "\(entry.key) takes yes or no, not \"\(entry.value)\"")
    }
    guard settings[option.name] == nil || option.isRepeatable else {
      throw .bad(origin: origin, reason: "\(entry.key) is given twice")
    }
    settings[option.name, default: Setting(values: [], origin: origin)].values += values
  }

  private static func problem(_ error: INIError, path: String) -> ConfigurationError {
    switch error {
    case .syntax(let line):
      .malformed(path: path, line: line, reason: "this is no setting; write key = value")
    case .lineTooLong(let line):
      .malformed(
        path: path, line: line,
        reason:
          "the line is longer than \(INIReader.longestLine) bytes; go on in the next, indented"
      )
    case .notText: .unreadable(path: path, reason: "it is too long, or no text")
    }
  }

  /// The option's values for what is written; none for a switch that is off; nothing where a
  /// switch is neither on nor off.
  private static func values(of option: OptionSpec, _ text: String) -> [String]? {
    guard option.value == nil else { return [text] }
    switch text.lowercased() {
    case "yes", "true", "on", "1": return [""]
    case "no", "false", "off", "0": return []
    default: return nil
    }
  }
}

extension UsageError {
  /// The option that is wrong, if it is one.
  var option: String? {
    switch self {
    case .badValue(let option, _, _), .alone(let option, _), .missingValue(let option, _),
      .unwantedValue(let option), .repeated(let option), .together(let option, _):
      option
    case .noCommand, .unknownCommand, .unknownOption, .unwantedOperand, .missingOperand: nil
    }
  }
}
