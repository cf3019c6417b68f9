import Glibc

/// Which parser is meant: by `FUZZ_PARSER`, a name of ``FuzzedParser``.
private let parser: FuzzedParser = {
  let name = getenv("FUZZ_PARSER").map { String(cString: $0) } ?? ""
  guard let parser = FuzzedParser(rawValue: name) else { fatalError("no parser is called \(name)") }
  return parser
}()

/// What libFuzzer calls with each input (LLVM, "libFuzzer"); see `.ci/fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  parser.feed(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
