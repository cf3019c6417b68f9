internal import CLinux
internal import Control
internal import EventLoop
internal import FileIO
internal import Glibc
internal import PeerClock
internal import PeerCore
internal import Synchronization
internal import Systemd
internal import Units

/// The service that runs on every host, in the foreground, until it is told to end.
public enum RecorderDaemon {
  /// The program and its version, as peers and files see it.
  public static let software = "recorder 0.1"

  /// Runs a daemon and returns the exit code: 0 when it was ended, 78 when it was told something
  /// that cannot be, 1 when it could not start for another reason.
  ///
  /// SIGTERM and SIGINT end it; a take that rolls is closed with what it has. On SIGHUP it begins
  /// anew with what `reread` gives, unless the host is armed or rolling.
  ///
  /// - Parameter reread: reads the settings again; nothing, and said why, where they are not good.
  public static func run(
    _ options: DaemonOptions, reread: @escaping () -> DaemonOptions? = { nil }
  ) -> Int32 {
    linux_ignore_signal(SIGPIPE)
    let signals = Signals(ending: linux_eventfd(), hangingUp: linux_eventfd())
    for (signal, event) in [
      (SIGTERM, signals.ending), (SIGINT, signals.ending), (SIGHUP, signals.hangingUp),
    ] {
      linux_signal_to_eventfd(signal, event)
      linux_unblock_signal(signal)
    }
    var options = options
    while true {
      switch serve(options, signals: signals, reread: reread) {
      case .ended(let exitCode): return exitCode
      case .reread(let next): options = next
      }
    }
  }

  /// Where signals arrive.
  private struct Signals {
    let ending: Int32
    let hangingUp: Int32
  }

  private enum End {
    case ended(Int32)
    case reread(DaemonOptions)
  }

  private static func serve(
    _ options: DaemonOptions, signals: Signals, reread: () -> DaemonOptions?
  ) -> End {
    let service: DaemonService
    let server: ControlServer
    do {
      service = DaemonService(
        options: options, label: label(options),
        clock: PeerClock(configuration: try configuration(options)),
        loop: try EventLoop(name: "service"))
      let loop = try EventLoop(name: "control")
      server = try ControlServer(path: options.socketPath, loop: loop) { [service] in
        await service.handle($0)
      }
    } catch let error as ControlError {
      Diagnostics.say(error.description)
      return .ended(error.exitCode.rawValue)
    } catch let error as PeerClockError {
      Diagnostics.say(error.description)
      return .ended(exitCode(error))
    } catch {
      Diagnostics.say("\(error)")
      return .ended(1)
    }
    let stdin = options.stopsOnEndOfInput
    switch start(service, server, ending: signals.ending, stdin: stdin) {
    case .failed(let message, let exitCode):
      Diagnostics.say(message)
      wait { await server.stop() }
      return .ended(exitCode)
    case .ended:
      wait { await server.stop() }
      return .ended(0)
    case .ready:
      Diagnostics.say("ready on \(options.socketPath)")
      options.whenReady()
      ServiceManager.ready()
    }
    let next = live(service, signals: signals, stdin: stdin, reread: reread)
    wait {
      if next == nil {
        _ = await SideLine(name: "manager").value(within: .milliseconds(500)) {
          ServiceManager.stopping()
        }
      }
      await server.stop()
      await service.stop()
    }
    return next.map(End.reread) ?? .ended(0)
  }

  /// Waits for the end; what to begin anew with, if it is to.
  private static func live(
    _ service: DaemonService, signals: Signals, stdin: Bool, reread: () -> DaemonOptions?
  ) -> DaemonOptions? {
    while isReady(signals.hangingUp, before: signals.ending, stdin: stdin) {
      linux_eventfd_drain(signals.hangingUp)
      guard let next = reread() else { continue }
      let isIdle = Mutex(false)
      wait {
        let found = await service.isIdle
        isIdle.withLock { $0 = found }
      }
      if isIdle.withLock({ $0 }) {
        Diagnostics.say("reading the settings again")
        return next
      }
      Diagnostics.say(
        "the settings are not read again while the host is armed or rolling; disarm it first")
    }
    return nil
  }

  private enum Start {
    case ready
    /// It was told to end before it was ready.
    case ended
    case failed(message: String, exitCode: Int32)
  }

  private static func start(
    _ service: DaemonService, _ server: ControlServer, ending: Int32, stdin: Bool
  ) -> Start {
    let result = Mutex(Start.ready)
    // Never closed: the task may yet come to it when this thread has long left.
    let done = linux_eventfd()
    Task {
      do {
        try await service.start()
        try await server.start()
      } catch let error as PeerClockError {
        result.withLock {
          $0 = .failed(message: error.description, exitCode: exitCode(error))
        }
      } catch {
        result.withLock { $0 = .failed(message: "\(error)", exitCode: 1) }
      }
      linux_eventfd_signal(done)
    }
    guard isReady(done, before: ending, stdin: stdin) else { return .ended }
    return result.withLock { $0 }
  }

  private static func exitCode(_ error: PeerClockError) -> Int32 {
    switch error {
    case .configuration, .noSuchInterface, .portInUse, .stateDirectory, .stateDirectoryInUse,
      .stateUnreadable:
      ExitCode.configuration.rawValue
    default: ExitCode.failed.rawValue
    }
  }

  /// Runs `work` on the pool and waits for it on this thread.
  private static func wait(_ work: @escaping @Sendable () async -> Void) {
    let done = linux_eventfd()
    Task {
      await work()
      linux_eventfd_signal(done)
    }
    var descriptor = pollfd(fd: done, events: Int16(POLLIN), revents: 0)
    while poll(&descriptor, 1, -1) < 0 && errno == EINTR {}
    close(done)
  }

  /// Waits for the eventfd `done` (-1: none); false when the daemon is told to end before that.
  @discardableResult
  private static func isReady(_ done: Int32, before ending: Int32, stdin: Bool) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      // The kernel passes over descriptors below 0.
      var descriptors = [ending, stdin ? 0 : -1, done].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&descriptors, nfds_t(descriptors.count), -1) >= 0 else { continue }
      if descriptors[0].revents != 0 { return false }
      if descriptors[1].revents != 0, read(0, &bytes, bytes.count) <= 0 { return false }
      if descriptors[2].revents != 0 { return true }
    }
  }

  /// As it was told, else as it was called, else its hostname.
  private static func label(_ options: DaemonOptions) -> String {
    options.label ?? LabelFile.load(from: options.stateDirectory).chosen ?? hostName()
  }

  private static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "host" }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.split(separator: ".").first.map(String.init) ?? "host"
  }

  /// The group that was named, else the one that this host has joined.
  private static func group(
    _ options: DaemonOptions
  ) throws(PeerClockError) -> PeerClockConfiguration.Group? {
    if let group = options.group, let passphrase = group.passphrase {
      return .init(name: group.name, passphrase: passphrase)
    }
    return try GroupFile.load(from: options.stateDirectory).map { .init($0) }
  }

  private static func configuration(
    _ options: DaemonOptions
  ) throws(PeerClockError) -> PeerClockConfiguration {
    var configuration = PeerClockConfiguration(
      group: try group(options),
      stateDirectory: options.stateDirectory, label: label(options),
      software: software)
    configuration.interfaces = options.interfaces
    configuration.port = options.port
    configuration.seeds = options.seeds.map { .init(host: $0.host, port: $0.port) }
    configuration.syncInterval = options.syncInterval
    configuration.stamps = options.stamps
    if options.input != nil, RunFile.left(in: options.stateDirectory)?.take != nil {
      // There is a take to go on with: its session is kept.
      configuration.activity = .armed
    }
    if let system = options.systemTime {
      configuration.timeSource = .system(
        anchorUnixNanoseconds: system.anchorUnixNanoseconds,
        utcOffsetSeconds: system.utcOffsetSeconds)
    }
    return configuration
  }
}
