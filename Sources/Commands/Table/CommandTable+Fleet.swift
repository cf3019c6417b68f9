// Commands that look at the hosts and at their time.
extension CommandTable {
  static let status = CommandSpec(
    name: "status", summary: "show all hosts",
    options: [
      OptionSpec("--watch", nil, "a full screen with meters, or a status each second: q leaves")
    ] + client,
    details: [
      "What is wrong comes first, the worst before the rest, each with what to do. --watch on a "
        + "terminal shows meters, the take's length and the latest events; where nobody watches, "
        + "and with --json, it writes a status each second."
    ],
    examples: ["recorder status --watch", "recorder status --json --watch | jq .hosts"])

  static let events = CommandSpec(
    name: "events", summary: "show what has happened on all hosts: alerts, takes, restarts",
    options: [
      OptionSpec("--follow", nil, "go on with what happens from now on, until Ctrl-C"),
      OptionSpec("--last", "N", "so many of the latest, up to 500 (else 20)"), socket, json,
    ],
    details: [
      "Every host tells all others what is wrong with it, and when it is over; each keeps the "
        + "latest thousand. --json writes an event a line."
    ],
    examples: ["recorder events --last 100", "recorder events --follow --json"])

  static let clock = CommandSpec(
    name: "clock", summary: "show how this host's clock stands to shared time",
    options: [
      OptionSpec("--watch", nil, "show it again each second until Ctrl-C"),
      OptionSpec("--csv", nil, "with --watch: ten lines a second of host time and offset"),
      socket, json,
    ],
    details: [
      "--csv writes t_ns (this host's CLOCK_MONOTONIC_RAW), its domain, and offset_ns: the "
        + "coordinator's raw clock minus this host's at that reading, by the estimate. The "
        + "coordinator itself, and a host without an estimate, write no lines.",
      "The error is within the jitter bound where the path is symmetric, and within the sum of "
        + "jitter bound and path limit in any case.",
    ],
    examples: ["recorder clock", "recorder clock --watch --csv > offsets.csv"])

  static let session = CommandSpec(
    name: "session",
    summary: "show the session, the timeline that all hosts share, or begin a new one",
    operands: "show|new", operandCount: 1...1, options: [socket, json],
    details: [
      "A new session has a new id, its own anchor in civil time and take numbers from 1; all hosts "
        + "must be idle. Arming begins one by itself where the old is of another date."
    ],
    examples: ["recorder session show"])

  static let forget = CommandSpec(
    name: "forget", summary: "know a host no longer that is not heard any more", operands: "HOST",
    operandCount: 1...1, options: [socket, json],
    details: [
      "A host that was lost stays in the status, and among those that a command is for where it was "
        + "armed or rolling, for a day; one that was ended by its user for ten minutes. All hosts "
        + "that are heard forget it; it is known again as soon as it is heard."
    ],
    examples: ["recorder forget rec-d"])

  static let wait = CommandSpec(
    name: "wait", summary: "wait until this host is in sync",
    options: [
      OptionSpec("--sync", "50us", "the bound to wait for, path limit included (else 50us)"),
      OptionSpec("--timeout", "30s", "how long to wait, also for the daemon (else 30s)"),
      socket, json,
    ],
    details: [
      "It ends with 0 once the bound is met, with 5 when the time is over. The host that the "
        + "others follow is in sync by definition."
    ],
    examples: ["recorder wait --sync 50us --timeout 30s && recorder start"])
}
