// Commands that set a host up.
extension CommandTable {
  static let daemon = CommandSpec(
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

  static let cards = CommandSpec(
    name: "cards", summary: "list this machine's sound cards: what they can do, who has them",
    operands: "[CARD…]", operandCount: 0...64, options: [json],
    details: [
      "A card is named to the daemon by its index, its id, its maker's name or a part of it, its "
        + "USB port, or its serial number. An id mostly stays the same, a port always does.",
      "Shown are the card's own formats, rates and channels: nothing is ever converted. With names, "
        + "only those are looked at; names of ALSA's own, such as hw:1,0, are taken too.",
    ],
    examples: ["recorder cards", "recorder daemon --input 1-1.2"])

  static let name = CommandSpec(
    name: "name", summary: "show what this host is called, and was, or call it otherwise",
    operands: "[LABEL]", operandCount: 0...1, options: [socket, json],
    details: [
      "Without --name a host bears its hostname until it is called otherwise here. It must be idle: "
        + "its files bear its label. Former labels still name it to --host."
    ],
    examples: ["recorder name rec-a"])

  static let group = CommandSpec(
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

  static let config = CommandSpec(
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

  static let doctor = CommandSpec(
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
}
