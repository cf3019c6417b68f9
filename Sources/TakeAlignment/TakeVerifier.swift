internal import FoundationEssentials
internal import Recording
internal import Sealing
internal import Units

/// Recomputes what the hosts of a take certify: the sync certificate from the timing logs, and the
/// digests from the audio. It only reads.
public struct TakeVerifier: Sendable {
  private let folder: String

  private static let block = 1 << 20
  private static let suffix = ".take.json"

  /// Makes a verifier of the take in `folder`.
  public init(folder: String) {
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  /// Verifies every host's part.
  public func run() throws(AlignmentError) -> VerificationReport {
    guard TakeFolder.kind(of: folder) == .folder else { throw .noSuchInput(path: folder) }
    let names = try TakeFolder.names(in: folder).filter { $0.hasSuffix(Self.suffix) }
    guard !names.isEmpty else { throw .noCertificates(folder: folder) }
    var hosts: [VerificationReport.Host] = []
    for name in names { hosts.append(verify(name)) }
    return VerificationReport(folder: folder, hosts: hosts)
  }

  private func verify(_ name: String) -> VerificationReport.Host {
    var faults: [String] = []
    var remarks: [String] = []
    var confirmed = 0
    let summary: TakeSummary
    do {
      let file = try InputFile(path: "\(folder)/\(name)")
      let bytes = try file.read(at: 0, count: Int(min(file.length, 64 << 20)))
      summary = try JSONDecoder().decode(TakeSummary.self, from: Data(bytes))
    } catch {
      return VerificationReport.Host(
        name: name, label: "", confirmedFiles: 0, headBoundNanoseconds: nil,
        tailBoundNanoseconds: nil, faults: ["\"\(name)\" cannot be read: \(error)"], remarks: [])
    }
    for file in summary.fileDetails ?? [] {
      switch verify(file) {
      case .confirmed: confirmed += 1
      case .fault(let words): faults.append(words)
      case .unknown(let words): remarks.append(words)
      }
    }
    if summary.fileDetails == nil { remarks.append("\"\(name)\" holds no digests") }
    let recomputed = certificate(of: summary, faults: &faults)
    if let claimed = summary.certificate, let recomputed {
      faults += Self.differences(claimed, recomputed)
    } else if summary.certificate == nil {
      remarks.append("\"\(name)\" holds no certificate")
    }
    return VerificationReport.Host(
      name: name, label: summary.label ?? "", confirmedFiles: confirmed,
      headBoundNanoseconds: recomputed?.head?.boundNanoseconds,
      tailBoundNanoseconds: recomputed?.tail?.boundNanoseconds, faults: faults, remarks: remarks)
  }

  private enum FileVerdict {
    case confirmed
    case fault(String)
    case unknown(String)
  }

  private func verify(_ file: TakeSummary.File) -> FileVerdict {
    do {
      let input = try InputFile(path: "\(folder)/\(file.name)")
      if let bytes = file.bytes, UInt64(clamping: bytes) != input.length {
        return .fault("\"\(file.name)\" has \(input.length) bytes, not \(bytes)")
      }
      guard let claimed = file.sha256 else {
        return .unknown("\"\(file.name)\" has no digest")
      }
      var digest = SHA256()
      var offset: UInt64 = 0
      while offset < input.length {
        let bytes = try input.read(at: offset, count: Self.block)
        if bytes.isEmpty { break }
        digest.update(bytes[...])
        offset += UInt64(bytes.count)
      }
      return digest.hexDigest() == claimed
        ? .confirmed : .fault("\"\(file.name)\" is not what was recorded: its SHA-256 differs")
    } catch {
      return .fault("\(error)")
    }
  }

  /// The certificate by the logs: those of the first track, one a segment.
  private func certificate(
    of summary: TakeSummary, faults: inout [String]
  ) -> SyncCertificate? {
    var draft = CertificateDraft()
    let details = summary.fileDetails ?? []
    let track = details.first?.track
    for file in details where file.track == track {
      let path = TimingLogFile.path(ofSound: "\(folder)/\(file.name)")
      do {
        let damage = try TimingLogFile.entries(of: path) {
          draft.take($0, firstFrame: file.firstFrame)
        }
        faults += damage.warnings.map { "\(file.name): \($0)" }
      } catch {
        faults.append("\(error)")
        return nil
      }
    }
    return details.isEmpty ? nil : draft.certificate(t0: summary.t0, t1: summary.t1)
  }

  /// In what a certificate differs from what the logs say.
  private static func differences(
    _ claimed: SyncCertificate, _ recomputed: SyncCertificate
  ) -> [String] {
    var words: [String] = []
    func compare<Value: Equatable>(_ what: String, _ one: Value, _ other: Value) {
      if one != other { words.append("the certificate says \(what) \(one), the log \(other)") }
    }
    func end(_ what: String, _ one: SyncCertificate.End?, _ other: SyncCertificate.End?) {
      compare("\(what) frame", one?.frame ?? -1, other?.frame ?? -1)
      compare("\(what) offset ns", one?.offsetNanoseconds ?? 0, other?.offsetNanoseconds ?? 0)
      compare("\(what) bound ns", one?.boundNanoseconds ?? 0, other?.boundNanoseconds ?? 0)
    }
    end("head", claimed.head, recomputed.head)
    end("tail", claimed.tail, recomputed.tail)
    compare("gaps", claimed.gaps, recomputed.gaps)
    compare("lost frames", claimed.lostFrames, recomputed.lostFrames)
    compare("steps of shared time", claimed.steps, recomputed.steps)
    compare("exchanges", claimed.exchanges, recomputed.exchanges)
    return words
  }
}
