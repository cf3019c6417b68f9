/// What `recorder doctor` found out about one thing.
struct DoctorFinding: Hashable, Encodable {
  /// How good that is.
  enum Grade: String, Hashable, Encodable {
    /// As it should be.
    case good
    /// It works; it could be better.
    case advice
    /// Recording will suffer, or cannot be.
    case problem
    /// It could not be found out.
    case unknown
  }

  /// What was looked at, in a word.
  let check: String
  let grade: Grade
  /// What was found, with its figures.
  let text: String
  /// What to type, or to do; nothing where there is nothing to do.
  var fix: String?

  init(_ check: String, _ grade: Grade, _ text: String, fix: String? = nil) {
    self.check = check
    self.grade = grade
    self.text = text
    self.fix = fix
  }
}

/// All that was found, as `recorder doctor --json` gives it.
struct DoctorReport: Encodable {
  let schema = "recorder.doctor/1"
  var findings: [DoctorFinding]
  /// How many writes of 1 MiB took less than each span; the last took longer than all.
  var writes: WriteTimes?
}
