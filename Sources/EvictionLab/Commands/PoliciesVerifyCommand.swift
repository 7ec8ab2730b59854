import ArgumentParser
import Experiments
import Foundation
import Parameters
import Requests
import Runner
import Traces

/// `evict policies verify`: the policies against what another implementation, or another version,
/// says that they do.
struct PoliciesVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare the policies with test vectors.",
    discussion: """
      Examples:
        evict policies vectors traces/search.txt.zst --policy arc --output arc.json
        evict policies verify arc.json --traces traces

      Finds the first eviction that differs. Traces are looked for beside the document, in the folders \
      given, in traces, and where EVICTIONLAB_TRACES says; vectors without their trace are skipped with a \
      word. Exit code 1 if any vector differs.
      """)

  @Argument(
    help: ArgumentHelp(
      "Documents, as evict policies vectors writes them; - reads standard input.",
      valueName: "vectors"))
  var files: [String]

  @Option(
    name: .customLong("traces"), help: ArgumentHelp("A folder of traces.", valueName: "folder"))
  var folders: [String] = []

  func run() throws {
    var verification = Verification(policies: KnownPolicies.all)
    for file in files {
      let vectors = try TestVectorDocument.read(Document.bytes(of: file), file: file)
      let search = TraceSearch(folders: [TraceSearch.folder(of: file)] + folders)
      for vector in vectors { try verification.verify(vector, search: search) }
    }
    try WholeFile.write(verification.summary + "\n", to: "-")
    if verification.divergences > 0 {
      throw Failed(
        description: "\(verification.divergences) of \(verification.verified) vectors differ")
    }
    if verification.verified == 0 {
      guard let trace = verification.missing.first else {
        throw TraceError.usage(
          problem: "\(files.joined(separator: ", ")): there are no vectors",
          remedy: "evict policies vectors writes some")
      }
      throw TraceError.missing(file: trace)
    }
  }
}

/// Runs vectors one after the other; reads each trace once.
private struct Verification {
  private let policies: [RunnablePolicyEntry]
  private var loaded: (key: String, trace: Trace)?
  private(set) var verified = 0
  private(set) var divergences = 0
  private(set) var missing: [String] = []

  init(policies: [RunnablePolicyEntry]) { self.policies = policies }

  var summary: String {
    var text = "\(verified - divergences) of \(verified) vectors agree"
    if !missing.isEmpty {
      text += "; \(missing.count) skipped, as these traces are not here: "
      text += missing.unique.joined(separator: ", ")
    }
    return text
  }

  mutating func verify(_ vector: TestVector, search: TraceSearch) throws {
    guard let path = search.path(of: vector.trace) else {
      missing.append(vector.trace)
      return
    }
    let choice = try PolicyChoice(vector.policy, among: policies)
    let trace = try load(path, vector, choice)
    let stream = RequestStream(
      trace, isSized: vector.unit == .bytes, limit: vector.requests, needs: choice.needs,
      seed: UInt64(bitPattern: Int64(vector.seed)))
    verified += 1
    guard let divergence = try vector.divergence(of: choice, over: stream) else { return }
    divergences += 1
    let cell = "\(vector.policy) at \(vector.capacity) on \(vector.trace)"
    try WholeFile.write("\(cell): \(divergence.description(of: vector, in: trace))\n", to: "-")
  }

  private mutating func load(
    _ path: String, _ vector: TestVector, _ choice: PolicyChoice
  ) throws(TraceError) -> Trace {
    let columns = ExperimentPlan.columns(for: [choice], isSized: vector.unit == .bytes)
      .subtracting([.operations, .costs])
    let key = "\(path) \(vector.traceFormat ?? "") \(columns.rawValue)"
    if let loaded, loaded.key == key { return loaded.trace }
    let trace = try TraceLoader.load(
      paths: TraceLoader.files(ofTrace: path), format: vector.traceFormat, columns: columns)
    loaded = (key, trace)
    return trace
  }
}

extension TestVector.Divergence {
  /// The divergence, in words.
  fileprivate func description(of vector: TestVector, in trace: Trace) -> String {
    func key(_ slot: UInt32?) -> String {
      guard let slot else { return "no key" }
      if Int(slot) >= trace.distinct { return "key number \(slot)" }
      return trace.integerKey(of: slot).map { "key \($0)" } ?? "key number \(slot)"
    }
    func place(_ request: Int?) -> String { request.map { "at request \($0)" } ?? "at the end" }
    return switch self {
    case .shortTrace(let requests):
      "the trace here has \(requests) requests, the vector \(vector.requests)"
    case .otherRequests(let digest):
      "the trace here is another one: its requests have the digest \(digest)"
    case .eviction(let number, let request, let here, let there):
      "eviction \(number), \(place(request)), is of \(key(here)) here and of \(key(there)) there"
    case .evictions(let first, let last, let request):
      "the first \(first) evictions agree, one of those up to number \(last) differs, "
        + "\(place(request)) or later; a vector with its sequence says which"
    case .hits(let here):
      "the evictions agree, but there are \(here) hits here and \(vector.hits) there"
    }
  }
}
