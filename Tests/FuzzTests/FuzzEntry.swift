import Glibc
import Synchronization

/// Which parser is meant: by `FUZZ_PARSER`, a name of ``FuzzedParser``.
private let parser: FuzzedParser = {
  let name = getenv("FUZZ_PARSER").map { String(cString: $0) } ?? ""
  guard let parser = FuzzedParser(rawValue: name) else { fatalError("no parser is called \(name)") }
  atexit {
    let pieces = FuzzedNode.pieceCount.load(ordering: .relaxed)
    guard pieces > 0 else { return }
    _ = Array("stat::pieces: \(pieces)\n".utf8).withUnsafeBytes {
      write(STDERR_FILENO, $0.baseAddress, $0.count)
    }
  }
  return parser
}()

/// What libFuzzer calls with each input (LLVM, "libFuzzer"); see `.ci/fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  parser.feed(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
