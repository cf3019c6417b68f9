internal import Glibc

/// A systemd unit that runs this daemon with these options.
struct UnitFile {
  /// The program and what it is started with.
  let words: [String]

  /// The unit of `recorder daemon` with the command line's own options.
  init(options: [String]) {
    var room = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &room, room.count - 1)
    let program = String(
      decoding: room.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    words = [program.isEmpty ? "/usr/bin/recorder" : program, "daemon"] + options
  }

  init(words: [String]) { self.words = words }

  var text: String {
    """
    # recorder daemon --print-unit > ~/.config/systemd/user/recorder.service
    # systemctl --user daemon-reload && systemctl --user enable --now recorder
    # loginctl enable-linger    (so that it runs while nobody is logged in)
    [Unit]
    Description=Synchronized audio recorder
    After=sound.target network.target

    [Service]
    Type=notify
    ExecStart=\(words.map(Self.quoted).joined(separator: " "))
    ExecReload=/bin/kill -HUP $MAINPID
    # One that ends unbidden comes back and goes on with its take.
    Restart=on-failure
    RestartSec=1
    WatchdogSec=60
    # SIGTERM closes the files of a take that rolls.
    TimeoutStopSec=15
    KillMode=mixed
    # As far as the user's own limits allow: see recorder doctor.
    LimitRTPRIO=95
    LimitMEMLOCK=256M

    [Install]
    WantedBy=default.target
    """
  }

  /// A word as systemd takes it: in quotes where it has more than plain characters, and `%` and `$`
  /// doubled.
  static func quoted(_ word: String) -> String {
    let doubled = word.map { character in
      switch character {
      case "%": "%%"
      case "$": "$$"
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: String(character)
      }
    }.joined()
    let isPlain =
      !word.isEmpty
      && word.allSatisfy { character in
        character.isASCII
          && (character.isLetter || character.isNumber || "/._-+:,@=%".contains(character))
      }
    return isPlain ? doubled : "\"\(doubled)\""
  }
}
