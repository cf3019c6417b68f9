internal import Control
internal import PeerClock
internal import RecorderDaemon
internal import Units

/// `recorder daemon`: options to a running daemon.
struct DaemonCommand {
  private let options: DaemonOptions
  private let terminal: Terminal

  init(
    line: ParsedLine, terminal: Terminal, environment: @escaping (String) -> String?
  ) throws(UsageError) {
    self.terminal = terminal
    let places = UserPlaces(environment: environment)
    var options = DaemonOptions(
      stateDirectory: line.value("--state") ?? places.state,
      socketPath: ControlPath.find(explicit: line.value("--socket"), environment: environment),
      output: line.value("--output") ?? places.recordings)
    let reader = OptionReader(line: line)
    options.label = try reader.text("--name", upToBytes: 64)
    options.group = try Self.group(line, terminal)
    if options.group == nil { options.group = Self.joinedGroup(options.stateDirectory) }
    options.interfaces = line.list("--interface")
    options.port = UInt16(try reader.number("--port", in: 0...65_535) ?? 0)
    options.seeds = try Self.seeds(reader, terminal)
    options.syncInterval = try reader.duration(
      "--sync-interval", in: .milliseconds(50) ... .seconds(600))
    if let limit = try reader.duration(
      "--sync-limit", in: .microseconds(1) ... .seconds(10))
    {
      options.syncLimit = limit
    }
    options.stamps = try Self.stamps(line)
    options.systemTime = try Self.systemTime(line)
    options.input = try reader.text("--input", upToBytes: 256)
    if let rate = try reader.number("--rate", in: 8000...192_000) {
      options.sampleRate = SampleRate(hertz: rate)
    }
    options.channels = try reader.channels("--channels")
    options.tracks = try reader.tracks("--track", of: options.channels)
    options.mirror = try reader.text("--mirror", upToBytes: 4096)
    options.keepsPreRoll = line.has("--keep-pre-roll")
    if let postRoll = try reader.duration("--post-roll", in: .zero ... .seconds(60)) {
      options.postRoll = postRoll
    }
    if let preRoll = try reader.duration("--pre-roll", in: .zero ... .seconds(600)) {
      options.preRoll = preRoll
    }
    let files = try FileOptions(line: line)
    options.files = files.settings
    options.timecode = files.timecode
    options.stopsOnEndOfInput = line.has("--stop-on-eof")
    if line.has("--json") {
      let ready = Ready(socket: options.socketPath, state: options.stateDirectory)
      options.whenReady = {
        if let text = try? JSONText.of(ready) { terminal.print(text) }
      }
    }
    self.options = options
  }

  /// Where a daemon is found once it runs.
  private struct Ready: Encodable {
    let schema = "recorder.daemon/1"
    let socket: String
    let state: String

    enum CodingKeys: String, CodingKey {
      case schema
      case socket
      case state = "state_directory"
    }
  }

  /// Runs it; `reread` gives the command as the settings are on SIGHUP, and says what is wrong
  /// with them where it gives none.
  func run(reread: @escaping () -> DaemonCommand?) -> Int32 {
    guard isUsable() else { return ExitCode.configuration.rawValue }
    return RecorderDaemon.run(options) {
      guard let next = reread(), next.isUsable() else {
        terminal.say("recorder: goes on with the settings as they were")
        return nil
      }
      return next.options
    }
  }

  /// Whether what cannot be seen from the options alone is well; says what is not.
  private func isUsable() -> Bool {
    for (folder, option) in [(options.output, "--output"), (options.mirror, "--mirror")] {
      guard options.input != nil, let folder, let reason = Folder.reasonNotWritable(folder) else {
        continue
      }
      terminal.say(
        "recorder: cannot write to the output folder \"\(folder)\": \(reason); choose another "
          + "with \(option)")
      return false
    }
    if options.group == nil {
      terminal.say(
        "recorder: no group: this daemon serves this machine alone; run: recorder group new NAME")
    }
    if options.input == nil {
      terminal.say("recorder: no --input: this host takes part in time, status and commands only")
    }
    return true
  }

  /// The group that this host has joined; a damaged file is for the daemon to refuse.
  private static func joinedGroup(_ state: String) -> DaemonOptions.Group? {
    do throws(PeerClockError) {
      return try GroupFile.load(from: state).map { .init(name: $0.name, passphrase: nil) }
    } catch {
      return nil
    }
  }

  private static func stamps(
    _ line: ParsedLine
  ) throws(UsageError) -> PeerClockConfiguration.Stamps {
    guard let word = line.value("--stamps") else { return .kernel }
    guard let stamps = PeerClockConfiguration.Stamps(rawValue: word) else {
      throw .badValue(
        option: "--stamps", value: word, wanted: "kernel, scheduled, arrivals or user_space")
    }
    return stamps
  }

  private static func systemTime(
    _ line: ParsedLine
  ) throws(UsageError) -> DaemonOptions.SystemTime? {
    let source = line.value("--time-source") ?? "peers"
    guard source == "peers" || source == "system" else {
      throw .badValue(option: "--time-source", value: source, wanted: "peers or system")
    }
    guard source == "system" else {
      for option in ["--utc-anchor", "--utc-offset"] where line.has(option) {
        throw .alone(option: option, needs: "--time-source system")
      }
      return nil
    }
    let date = line.value("--utc-anchor") ?? "2020-01-01"
    guard let anchor = CivilDate.parse("\(date)T00:00:00Z"),
      (2017..<2100).contains(
        Int(date.prefix(4)) ?? 0)
    else {
      throw .badValue(
        option: "--utc-anchor", value: date, wanted: "a date from 2017 to 2099: 2026-05-01")
    }
    let offset = line.value("--utc-offset") ?? "+00:00"
    guard let midnight = CivilDate.parse("1970-01-02T00:00:00\(offset)") else {
      throw .badValue(option: "--utc-offset", value: offset, wanted: "hours and minutes: +02:00")
    }
    return DaemonOptions.SystemTime(
      anchorUnixNanoseconds: anchor,
      utcOffsetSeconds: Int32(86_400 - midnight / 1_000_000_000))
  }

  /// A name that nobody knows now is no reason not to serve this host.
  private static func seeds(
    _ reader: OptionReader, _ terminal: Terminal
  ) throws(UsageError) -> [DaemonOptions.Seed] {
    try reader.places("--peers").flatMap { place in
      let addresses = HostNames.addresses(of: place.host)
      if addresses.isEmpty {
        terminal.say("recorder: --peers: nobody knows a host \"\(place.host)\"")
      }
      let port = place.port ?? PeerClockConfiguration.usualPort
      return addresses.map { DaemonOptions.Seed(host: $0, port: port) }
    }
  }

  private static func group(
    _ line: ParsedLine, _ terminal: Terminal
  ) throws(UsageError) -> DaemonOptions.Group? {
    switch (line.value("--group"), line.value("--passphrase-file")) {
    case (nil, nil): return nil
    case (nil, _?): throw .alone(option: "--passphrase-file", needs: "--group NAME")
    case (_?, nil): throw .alone(option: "--group", needs: "--passphrase-file FILE")
    case (let name?, let path?):
      guard !name.isEmpty, name.utf8.count <= 64 else {
        throw .badValue(option: "--group", value: name, wanted: "1 to 64 bytes")
      }
      return DaemonOptions.Group(name: name, passphrase: try passphrase(path, terminal))
    }
  }

  /// The first line of the file.
  private static func passphrase(
    _ path: String, _ terminal: Terminal
  ) throws(UsageError) -> String {
    switch SecretFile.read(path) {
    case .unreadable(let reason):
      throw .badValue(
        option: "--passphrase-file", value: path, wanted: "a file that can be read (\(reason))")
    case .text(let text, let isOpenToOthers):
      guard !text.isEmpty, text.utf8.count <= 1024 else {
        throw .badValue(
          option: "--passphrase-file", value: path,
          wanted: "a file whose first line is a passphrase of 1 to 1024 bytes")
      }
      if isOpenToOthers {
        terminal.say(SecretFile.warning(of: path))
      }
      return text
    }
  }
}
