// Commands that make takes, and that say something of them.
extension CommandTable {
  static let arm = CommandSpec(
    name: "arm", summary: "open the cards and listen",
    options: [OptionSpec("--take", "NAME", "what the take is called"), required] + client,
    details: [
      "From now on the last seconds are kept in memory, so that a take may begin in them.",
      "--require all: every host that this one knows of, also one that is not heard any more; a "
        + "number: so many with a card; or names. Where one is absent nothing is done (69).",
    ],
    examples: ["recorder arm --require rec-a,rec-b"])

  static let start = CommandSpec(
    name: "start", summary: "begin a take on all hosts at one instant",
    options: [
      OptionSpec("--in", "1s", "how long from now (a minus reaches back: -5s)"),
      OptionSpec("--at", "TIME", "when, such as 2026-05-01T20:15:00+02:00, or -30s: 30 s ago"),
      OptionSpec("--take", "NAME", "what the take is called, when it is armed by this"), required,
    ] + client,
    details: [
      "Hosts that are idle are armed first. Where T0 is near, each host's line says where its first "
        + "sample lies, and how well that is known.",
      "--require all: every host that this one knows of, also one that is not heard any more; a "
        + "number: so many with a card; or names. Where one is absent nothing is begun (69).",
    ],
    examples: ["recorder start --in 1s", "recorder start --require all"])

  static let stop = CommandSpec(
    name: "stop", summary: "end the take on all hosts at one instant; they stay armed",
    options: [
      OptionSpec("--in", "5m", "how long from now (else at once)"),
      OptionSpec("--at", "TIME", "when, such as 2026-05-01T22:00:00+02:00"),
    ] + client,
    details: [
      "An end that lies ahead may be set anew until it comes: the stop that is given last holds."
    ],
    examples: ["recorder stop", "recorder stop --in 45m"])

  static let disarm = CommandSpec(
    name: "disarm", summary: "close the cards", options: client)

  static let scene = CommandSpec(
    name: "scene", summary: "say what is recorded from now on, on all hosts", operands: "[NAME]",
    operandCount: 0...1,
    options: [
      OptionSpec("--project", "NAME", "what the recording is for"),
      OptionSpec("--tape", "NAME", "the roll, tape or card"), socket, json,
    ],
    details: [
      "Takes that are armed or started from then on are called so, until another scene is said; one "
        + "that is armed already is renamed. Without a name it shows what stands on the slate.",
      "Any script will do: files have it in their iXML, names of files in ASCII.",
    ],
    examples: ["recorder scene 12A", "recorder scene --project \"Night train\" --tape R7"])

  static let mark = CommandSpec(
    name: "mark", summary: "mark an instant in the take that rolls, in every host's file",
    operands: "[TEXT…]", operandCount: 0...256,
    options: [
      OptionSpec("--at", "-5s", "how long from now, as a rule back, or a time of day with its date")
    ] + client,
    details: [
      "All hosts mark the same instant: as a cue with a label, as a sync point of the iXML, and in "
        + "the timing log."
    ],
    examples: ["recorder mark \"clap\"", "recorder mark --at -5s dog barks"])

  static let note = CommandSpec(
    name: "note", summary: "note something of a take, in every host's file", operands: "TEXT…",
    operandCount: 1...256,
    options: [OptionSpec("--take", "7", "which take (else the one that rolls, or the last)")]
      + client,
    details: [
      "The note stands in the iXML of its files and in take.json; a later one replaces it."
    ],
    examples: ["recorder note \"plane at the end\""])

  static let circle = CommandSpec(
    name: "circle", summary: "circle a take: it is one of the good ones", operands: "[TAKE]",
    operandCount: 0...1,
    options: [OptionSpec("--off", nil, "take the circle away")] + client,
    examples: ["recorder circle", "recorder circle 7b"])

  static let pull = CommandSpec(
    name: "pull", summary: "bring a take's files from all hosts together, here",
    operands: "[TAKE]", operandCount: 0...1,
    options: [
      OptionSpec("--all", nil, "all takes of the session"),
      OptionSpec("--to", "DIR", "where to (else beside what this host recorded)"), socket, json,
    ],
    details: [
      "TAKE is a take's label, such as 7 or 7b: see recorder takes. What is here already is not "
        + "fetched again, and what an earlier run has begun is gone on with. Both ends compute each "
        + "file's SHA-256. Nothing is deleted or replaced, on any host.",
      "While any host is armed or rolling it goes slowly (1 MB/s). Ctrl-C ends the showing; the "
        + "daemon goes on.",
    ],
    examples: ["recorder pull 7", "recorder pull --all --to /media/backup"])

  static let takes = CommandSpec(
    name: "takes", summary: "list the session's takes, or write a sound report",
    options: [OptionSpec("--csv", nil, "a sound report: a line per file")] + client,
    details: [
      "Each host tells of its own takes. A number that doubled while the fleet was split has a "
        + "letter: 7, 7b. A number in brackets is circled."
    ],
    examples: ["recorder takes", "recorder takes --csv > report.csv"])
}
