// Commands that work on files, and those that try it all.
extension CommandTable {
  static let align = CommandSpec(
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

  static let verify = CommandSpec(
    name: "verify", summary: "hold a take against what its hosts certify",
    operands: "TAKE…", operandCount: 1...4096, options: [json],
    details: [
      "It recomputes each host's sync certificate from the timing logs and the SHA-256 of the "
        + "sound files, and ends with 1 where anything differs. Files are only read."
    ],
    examples: ["recorder verify Recordings/2026-11-30_4f1c/12A-T01-9d2e"])

  static let recover = CommandSpec(
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

  static let info = CommandSpec(
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

  static let bench = CommandSpec(
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

  static let demo = CommandSpec(
    name: "demo", summary: "try it all on this machine: three hosts, a take, and its proof",
    options: [
      OptionSpec("--hosts", "N", "how many hosts, 2 to 12"),
      OptionSpec("--seconds", "S", "how long the take is"),
      OptionSpec("--seed", "N", "another scene, other clocks"),
      OptionSpec("--keep", nil, "keep the hosts' states and logs"),
      OptionSpec("--output", "DIR", "where the take goes"),
      OptionSpec("--json", nil, "the figures as JSON"),
    ])

  static let help = CommandSpec(
    name: "help", summary: "show what there is, or a command's options", operands: "[COMMAND]",
    operandCount: 0...1, options: [])
}
