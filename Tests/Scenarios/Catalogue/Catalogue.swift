extension Scenario {
  /// All of them, in the order of the table.
  public static let all: [Scenario] =
    clocks + walls + paths + losses + successions + returns + comings + storms + long

  /// The scenario of that name.
  public static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }
}

extension Setting {
  /// The usual setting, changed.
  init(_ change: (inout Setting) -> Void) {
    self.init()
    change(&self)
  }

  /// The usual setting, in which all hosts roll from 4 s on.
  static let rolling = Setting { $0.rollsFrom = 4 }
}
