/// Why nothing is made of the settings.
enum SettingsRefusal: Error, CustomStringConvertible {
  /// The command line itself is wrong.
  case usage(UsageError)
  /// All that is wrong with the files and the environment.
  case configuration([ConfigurationError])

  var description: String {
    switch self {
    case .usage(let error): error.description
    case .configuration(let errors): errors.map(\.description).joined(separator: "\n")
    }
  }
}
