/// All commands with all their options: parsing, help and suggestions come from here alone.
enum CommandTable {
  static let program = "recorder"

  /// Options that every command takes.
  static let everywhere = [
    OptionSpec("--color", "WHEN", "auto, always or never (auto: on a terminal)"),
    OptionSpec("--help", nil, "show this help"),
  ]

  static let socket = OptionSpec(
    "--socket", "PATH", "the daemon's socket (else RECORDER_SOCKET, else the usual place)")
  private static let hosts = OptionSpec(
    "--host", "A,B", "only these hosts, by label or id", isRepeatable: true)
  static let json = OptionSpec("--json", nil, "the answer as JSON")
  private static let required = OptionSpec(
    "--require", "all|N|A,B", "begin only if these hosts are there, with their cards")
  static let client = [socket, hosts, json]

  static let commands = [
    daemon, cards, arm, start, stop, disarm, status, events, scene, mark, note, circle, takes, pull,
    clock,
    session, name, forget, group, config, wait, align, verify, recover, info, doctor, bench,
    demo,
    help,
  ]

  static func command(_ name: String) -> CommandSpec? { commands.first { $0.name == name } }

  private static let daemon = CommandSpec(
    name: "daemon", summary: "serve this host: its card, its clock, its files",
    options: [
      OptionSpec("--state", "DIR", "where identity and session are kept"),
      OptionSpec("--socket", "PATH", "where commands are answered"),
      OptionSpec("--name", "LABEL", "what people call this host (else its hostname)"),
      OptionSpec("--group", "NAME", "the group, where it is not the one that was joined"),
      OptionSpec("--passphrase-file", "FILE", "the group's passphrase: the file's first line"),
      OptionSpec(
        "--interface", "IFACE", "use only this network interface", isRepeatable: true),
      OptionSpec("--port", "P", "the port for the network (else 27768, or any free one)"),
      OptionSpec(
        "--peers", "HOST[:PORT],…", "where to look for peers besides multicast", isRepeatable: true),
      OptionSpec("--sync-interval", "1s", "how often to compare clocks (else as often as needed)"),
      OptionSpec("--sync-limit", "2ms", "how much may be open about its time before it says so"),
      OptionSpec(
        "--stamps", "kernel", "the best used: kernel, scheduled, arrivals or user_space"),
      OptionSpec(
        "--time-source", "peers",
        "or system: this host's own clock, which chrony, ntpd or PTP keeps"),
      OptionSpec("--utc-anchor", "DATE", "the day that system time counts from (2020-01-01)"),
      OptionSpec("--utc-offset", "+02:00", "the zone of system time's labels (UTC)"),
      OptionSpec("--input", "CARD", "the card: its index, id, name, USB path or serial"),
      OptionSpec("--rate", "48000", "samples a second"),
      OptionSpec("--channels", "1,3", "which channels, or how many (else two, or what it has)"),
      OptionSpec("--track", "1=Vocal", "what a channel is called", isRepeatable: true),
      OptionSpec("--output", "DIR", "where takes go"),
      OptionSpec("--mirror", "DIR", "a second place that takes go to at the same time"),
      OptionSpec("--pre-roll", "10s", "how far back a take may begin, up to 10m"),
      OptionSpec("--keep-pre-roll", nil, "files begin with the pre-roll instead of at T0"),
      OptionSpec("--post-roll", "2s", "how far files reach beyond T1 (else not at all)"),
      OptionSpec("--bits", "24", "how samples are stored: 16, 24, 32 or float"),
      OptionSpec("--mono", nil, "a file for each channel"),
      OptionSpec("--split", "1h", "go on in another file after a length or a size (4GB for FAT)"),
      OptionSpec("--plain-header", nil, "files without filler chunk; split below 4 GiB"),
      OptionSpec("--loudness", nil, "measure loudness (EBU R 128) into bext version 2"),
      OptionSpec("--timecode-rate", "25", "such as 23.976, 24, 29.97DF, 29.97NDF, 50"),
      OptionSpec(
        "--timecode-mode", "time-of-day", "or free-run=10:00:00:00, or offset=-01:00:00:00"),
      OptionSpec("--user-bits", "date", "or eight hexadecimal digits"),
      OptionSpec("--config", "FILE", "settings, instead of the user's and the machine's files"),
      OptionSpec("--json", nil, "say where it listens as JSON"),
      OptionSpec("--print-unit", nil, "print a systemd unit with these options, and end"),
      OptionSpec("--stop-on-eof", nil, "end when the input ends", isHidden: true),
    ],
    details: [
      "Without --input the host takes part in time, status and commands only. Without a "
        + "group (see recorder group) it serves this machine alone.",
      "Every option may also stand in a file, as a line such as input = hw:1 under [daemon], or in "
        + "the environment, as RECORDER_INPUT: see recorder config.",
      "The session counts timecode as the host was set that armed the first take; a host that is "
        + "set otherwise is told when it is armed.",
      "It runs until Ctrl-C or SIGTERM, and closes a rolling take's files first.",
    ],
    examples: ["recorder daemon --input hw:1", "recorder daemon --group band --passphrase-file p"])

  private static let cards = CommandSpec(
    name: "cards", summary: "list this machine's sound cards: what they can do, who has them",
    operands: "[CARD…]", operandCount: 0...64, options: [json],
    details: [
      "A card is named to the daemon by its index, its id, its maker's name or a part of it, its "
        + "USB port, or its serial number. An id mostly stays the same, a port always does.",
      "Shown are the card's own formats, rates and channels: nothing is ever converted. With names, "
        + "only those are looked at; names of ALSA's own, such as hw:1,0, are taken too.",
    ],
    examples: ["recorder cards", "recorder daemon --input 1-1.2"])

  private static let arm = CommandSpec(
    name: "arm", summary: "open the cards and listen",
    options: [OptionSpec("--take", "NAME", "what the take is called"), required] + client,
    details: [
      "From now on the last seconds are kept in memory, so that a take may begin in them.",
      "--require all: every host that this one knows of, also one that is not heard any more; a "
        + "number: so many with a card; or names. Where one is absent nothing is done (69).",
    ],
    examples: ["recorder arm --require rec-a,rec-b"])

  private static let start = CommandSpec(
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

  private static let stop = CommandSpec(
    name: "stop", summary: "end the take on all hosts at one instant; they stay armed",
    options: [
      OptionSpec("--in", "5m", "how long from now (else at once)"),
      OptionSpec("--at", "TIME", "when, such as 2026-05-01T22:00:00+02:00"),
    ] + client,
    details: [
      "An end that lies ahead may be set anew until it comes: the stop that is given last holds."
    ],
    examples: ["recorder stop", "recorder stop --in 45m"])

  private static let disarm = CommandSpec(
    name: "disarm", summary: "close the cards", options: client)

  private static let status = CommandSpec(
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

  private static let events = CommandSpec(
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

  private static let clock = CommandSpec(
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

  private static let session = CommandSpec(
    name: "session",
    summary: "show the session, the timeline that all hosts share, or begin a new one",
    operands: "show|new", operandCount: 1...1, options: [socket, json],
    details: [
      "A new session has a new id, its own anchor in civil time and take numbers from 1; all hosts "
        + "must be idle. Arming begins one by itself where the old is of another date."
    ],
    examples: ["recorder session show"])

  private static let name = CommandSpec(
    name: "name", summary: "show what this host is called, and was, or call it otherwise",
    operands: "[LABEL]", operandCount: 0...1, options: [socket, json],
    details: [
      "Without --name a host bears its hostname until it is called otherwise here. It must be idle: "
        + "its files bear its label. Former labels still name it to --host."
    ],
    examples: ["recorder name rec-a"])

  private static let forget = CommandSpec(
    name: "forget", summary: "know a host no longer that is not heard any more", operands: "HOST",
    operandCount: 1...1, options: [socket, json],
    details: [
      "A host that was lost stays in the status, and among those that a command is for where it was "
        + "armed or rolling, for a day; one that was ended by its user for ten minutes. All hosts "
        + "that are heard forget it; it is known again as soon as it is heard."
    ],
    examples: ["recorder forget rec-d"])

  private static let group = CommandSpec(
    name: "group", summary: "make, join or show the group of hosts that this one belongs to",
    operands: "new|join|show|leave [NAME]", operandCount: 1...2,
    options: [
      OptionSpec(
        "--passphrase-file", "FILE", "the passphrase: the file's first line (else it is asked for)"),
      OptionSpec("--state", "DIR", "where the daemon keeps its state"), json,
    ],
    details: [
      "new makes a strong passphrase and shows it once; join asks for it. Kept is a key that only "
        + "this user may read. Hosts of one group show the same fingerprint.",
      "The daemon looks at it when it starts. Without a group it serves this machine alone.",
    ],
    examples: ["recorder group new band", "recorder group join band"])

  private static let config = CommandSpec(
    name: "config", summary: "show the daemon's settings, and where each comes from",
    options: [
      OptionSpec("--show-origin", nil, "say of each setting where it stands"),
      OptionSpec("--config", "FILE", "settings, instead of the user's and the machine's files"),
      json,
    ],
    details: [
      "A flag goes before the environment, that before ~/.config/recorder/recorder.conf, that before "
        + "/etc/recorder.conf, that before the default. The files have lines such as input = hw:1 "
        + "under [daemon]; each option of recorder daemon is a key."
    ],
    examples: ["recorder config --show-origin"])

  private static let wait = CommandSpec(
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

  private static let align = CommandSpec(
    name: "align", summary: "lay a take's files onto one timeline, to the sample",
    operands: "DIR|FILE…", operandCount: 1...4096,
    options: [
      OptionSpec("--out", "DIR", "where aligned files go (else aligned/ beside the raw ones)"),
      OptionSpec(
        "--reference", "FILE", "the file whose crystal is the measure (else session time)"),
      OptionSpec("--json", "FILE", "write the report as JSON (-: to the output)"),
      OptionSpec(
        "--by", "clock|timecode|sound",
        "by timing logs, timecode, or what all of them heard"),
      OptionSpec("--pull", nil, "TAKE is a take's label: bring its files together first"),
      socket,
      OptionSpec("--check", nil, "by clock or timecode: ask the sound what it says of it"),
      OptionSpec("--only", "report", "render nothing"),
      OptionSpec("--poly", nil, "render all files as the channels of one"),
      OptionSpec(
        "--export", "reaper,…",
        "sessions: reaper, ardour, otio, edl, fcpxml, audacity, ale, csv"),
      OptionSpec("--html", "FILE", "write the page with pictures here (else beside the files)"),
      OptionSpec("--format", "24|float", "how aligned samples are stored (else 24)"),
      OptionSpec("--force", nil, "replace aligned files that are there"),
    ],
    details: [
      "Raw files are only read. A file without a timing log is placed by the timecode of its bext "
        + "or iXML, to a frame.",
      "By sound any files are placed, whoever recorded them: the first, or the reference, is the "
        + "measure. A file with nothing in common is refused, never placed by force.",
    ],
    examples: ["recorder align TAKE", "recorder align --by sound --only report *.wav"])

  private static let verify = CommandSpec(
    name: "verify", summary: "hold a take against what its hosts certify",
    operands: "TAKE…", operandCount: 1...4096, options: [json],
    details: [
      "It recomputes each host's sync certificate from the timing logs and the SHA-256 of the "
        + "sound files, and ends with 1 where anything differs. Files are only read."
    ],
    examples: ["recorder verify Recordings/2026-11-30_4f1c/12A-T01-9d2e"])

  private static let info = CommandSpec(
    name: "info", summary: "tell everything about sound files, whoever recorded them",
    operands: "FILE…", operandCount: 1...4096,
    options: [
      json,
      OptionSpec("--strict", nil, "fail where anything is off"),
    ],
    details: [
      "Format, length, exact start in samples and in timecode, bext, iXML, cues, the take's "
        + "family, the timing log beside it, and what contradicts what. Files are only read."
    ],
    examples: ["recorder info --strict take.wav"])

  private static let recover = CommandSpec(
    name: "recover", summary: "make interrupted recordings whole",
    operands: "FILE|DIR…", operandCount: 0...4096,
    options: [
      OptionSpec("--dry-run", nil, "say what would be done, and change nothing"),
      OptionSpec("--undo", nil, "put back what the last recovery of these files wrote over"),
      OptionSpec("--json", nil, "the report as JSON"),
    ],
    details: [
      "Without files or folders it looks where takes go. Audio is never cut, no file is ever "
        + "replaced, and what is being recorded is left alone. What had to be assumed is said, and "
        + "the bytes that were written over are kept beside the file."
    ],
    examples: ["recorder recover --dry-run /media/card", "recorder recover --undo take.wav"])

  private static let doctor = CommandSpec(
    name: "doctor",
    summary: "find what on this host, and between hosts, is in the way of recording",
    options: [
      OptionSpec("--input", "CARD", "the card to listen to for 5 s (else the daemon's)"),
      OptionSpec("--output", "DIR", "the folder to write to (else the daemon's)"),
      OptionSpec("--quick", nil, "measure nothing that takes time"), socket, json,
    ],
    details: [
      "It looks at the rights to cards, priority and memory, who holds the cards, a card's rate, how "
        + "the disk takes writes, Wi-Fi power save, processor, sleep, the wall clock, and asks the "
        + "daemon how the hosts reach one another. It changes nothing; below each finding stands "
        + "what to type. It ends with 1 where there is a problem.",
      "While the host is armed or rolling, neither disk nor card are measured.",
    ],
    examples: ["recorder doctor", "recorder doctor --json"])

  private static let bench = CommandSpec(
    name: "bench", summary: "measure what recording costs on this machine, beside arecord",
    operands: "capture", operandCount: 1...1,
    options: [
      OptionSpec("--seconds", "60", "how long each card is recorded (else 60 s)"),
      OptionSpec("--channels", "N", "one card of so many channels, instead of the usual three"),
      OptionSpec("--rate", "48000", "one card of this rate"),
      OptionSpec("--folder", "DIR", "where both record to; it is empty again afterwards"),
      json,
    ],
    details: [
      "The recorder's engine and arecord record at the same time, each from a virtual card of the "
        + "same kind, onto the same disk: 64 channels at 96 kHz, 2 and 8 at 48 kHz. It ends with 1 "
        + "where a frame was lost. What the virtual card itself takes is part of both figures."
    ],
    examples: ["recorder bench capture --seconds 600"])

  private static let demo = CommandSpec(
    name: "demo", summary: "try it all on this machine: three hosts, a take, and its proof",
    options: [
      OptionSpec("--hosts", "N", "how many hosts, 2 to 12"),
      OptionSpec("--seconds", "S", "how long the take is"),
      OptionSpec("--seed", "N", "another scene, other clocks"),
      OptionSpec("--keep", nil, "keep the hosts' states and logs"),
      OptionSpec("--output", "DIR", "where the take goes"),
      OptionSpec("--json", nil, "the figures as JSON"),
    ])

  private static let help = CommandSpec(
    name: "help", summary: "show what there is, or a command's options", operands: "[COMMAND]",
    operandCount: 0...1, options: [])
}
