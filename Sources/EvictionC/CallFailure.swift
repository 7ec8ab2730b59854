import CEvictionLab
import EvictionCore
import Runner
import Traces

/// The reason why a call fails, as C sees it.
struct CallFailure: Error {
  /// One of the constants of `evl_status`.
  let status: Int32
  /// One line: what is wrong and what to do.
  let message: String

  init(_ status: Int, _ message: String) {
    self.status = Int32(status)
    self.message = CallFailure.inTermsOfC(message)
  }

  /// An argument that is wrong.
  static func usage(_ message: String) -> CallFailure { CallFailure(EVL_USAGE, message) }

  /// The call was stopped by its caller.
  static let cancelled = CallFailure(
    EVL_CANCELLED, "the progress callback stopped the call; return 0 from it to go on")

  /// The members of the interface that remedies call by the flags of the command line.
  private static let members: [Substring: String] = [
    "--sized": "sized", "--expire": "expires", "--count-sets": "counts_sets",
    "--trace-format": "the format", "--limit": "limit",
  ]

  private static func inTermsOfC(_ message: String) -> String {
    message.split(separator: " ", omittingEmptySubsequences: false)
      .map { members[$0] ?? String($0) }.joined(separator: " ")
  }
}

extension CallFailure {
  init(_ error: TraceError) {
    let status =
      switch error.kind {
      case .usage: EVL_USAGE
      case .data: EVL_DATA
      case .missing: EVL_MISSING
      case .io: EVL_IO
      case .memory: EVL_MEMORY
      case .cancelled: EVL_CANCELLED
      }
    self.init(status, error.description)
  }

  init(_ error: PlanError) {
    self.init(error.kind == .data ? EVL_DATA : EVL_USAGE, error.description)
  }

  init(_ error: PolicyError) {
    let status =
      switch error {
      case .theorem: EVL_INTERNAL
      case .missing: EVL_MISSING
      default: EVL_USAGE
      }
    self.init(status, error.description)
  }

  init(_ error: ExperimentError) {
    switch error {
    case .policy(let error): self.init(error)
    case .file(let error): self.init(error)
    case .contract, .store, .stream, .system: self.init(EVL_INTERNAL, "\(error.cause)")
    }
  }
}

/// Calls `body`, whose errors become failures.
func wrapping<Value, Problem: Error>(
  _ failure: (Problem) -> CallFailure, _ body: () throws(Problem) -> Value
) throws(CallFailure) -> Value {
  do throws(Problem) { return try body() } catch { throw failure(error) }
}
