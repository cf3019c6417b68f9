import Glibc
import Recording
import TestLanes
import Testing

@Suite("What operating.md says of what the program says", .computing)
struct OperatingTests {
  private static let page: String = {
    let here = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = fopen("/\(here)/docs/operating.md", "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }()

  @Test("every kind of alert has its line, with what to do", arguments: AlertKind.allCases)
  func kinds(kind: AlertKind) throws {
    let lines = Self.page.split(separator: "\n").filter { $0.hasPrefix("| `\(kind.rawValue)` |") }
    #expect(lines.count == 1, "\(kind.rawValue): \(lines)")
    let cells = try #require(lines.first).split(separator: "|")
    #expect(cells.count == 4)
    #expect(cells.allSatisfy { $0.count > 2 })
  }
}
