internal import ALSA
internal import Control
internal import Units

/// `recorder cards`: this machine's cards, without a daemon.
struct CardsCommand {
  private let line: ParsedLine
  private let terminal: Terminal

  init(line: ParsedLine, terminal: Terminal) {
    self.line = line
    self.terminal = terminal
  }

  func run() -> ExitCode {
    let cards = SoundCards.all()
    let answer = AnswerOutput(terminal: terminal, asJSON: line.has("--json"))
    var report = CardsReport()
    if line.operands.isEmpty {
      report.cards = cards.map { CardsReport.Card($0) }
    } else {
      for name in line.operands {
        do throws(ALSAError) {
          report.cards.append(try card(named: name, among: cards))
        } catch {
          return answer.fail(error.description, .failed, next: "recorder cards")
        }
      }
    }
    if line.has("--json") { return answer.printJSON(report, .success) }
    for text in CardsView(report: report).lines { terminal.print(text) }
    let first = report.cards.first { !$0.devices.isEmpty }
    terminal.say(
      first.map { "Next: recorder daemon --input \(ShellWord.quoted($0.id))" }
        ?? "Next: plug a card in and look again; a card that only plays cannot record")
    return .success
  }

  private func card(
    named name: String, among cards: [SoundCard]
  ) throws(ALSAError) -> CardsReport.Card {
    let pcm = try CardChoice.pcm(named: name)
    let index = SoundCards.index(of: pcm)
    if let card = cards.first(where: { $0.index == index }) { return CardsReport.Card(card) }
    return try CardsReport.Card(pcm: pcm)
  }
}
