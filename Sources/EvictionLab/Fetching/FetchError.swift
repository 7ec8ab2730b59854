import Parameters

/// The reason why a trace could not be fetched.
package enum FetchError: Error, Equatable, Sendable {
  /// No trace of the manifest has the name.
  case unknown(name: String, known: [String])
  /// The server answered with a status other than success.
  case refused(name: String, url: String, status: Int)
  /// The connection could not be made, or broke; `kept` of all bytes are kept.
  case connection(name: String, url: String, problem: String, kept: Int, of: Int)
  /// The server holds a file of another length; nothing is kept.
  case changed(name: String, url: String, problem: String)
  /// The received bytes are not those of the manifest; `resumed` where an earlier call brought the beginning.
  case wrongChecksum(name: String, url: String, expected: String, found: String, resumed: Bool)
  /// The server sends a file from its beginning where its rest was wanted.
  case noRanges(url: String)
  /// The connection for a sample could not be made, or broke and brought nothing more.
  case noSample(name: String, url: String, problem: String)
  /// The caller stopped the work; `kept` of all bytes are kept.
  case cancelled(name: String, kept: Int, of: Int)
}

extension FetchError: CustomStringConvertible {
  /// The error in one line: what, where, what to do.
  package var description: String {
    switch self {
    case .unknown(let name, let known):
      "no trace is called “\(name)”; \(known.remedy(for: name))"
    case .refused(let name, let url, let status):
      "\(name): \(url) answers with status \(status); "
        + (status == 404 || status == 410 ? "it has moved, look for it elsewhere" : "try later")
    case .connection(let name, let url, let problem, let kept, let all):
      "\(name): \(url): \(problem); \(kept) of \(all) bytes are kept, run it again to go on"
    case .changed(let name, let url, let problem):
      "\(name): \(url): \(problem); the file there has changed, and nothing was kept"
    case .wrongChecksum(let name, let url, let expected, let found, let resumed):
      resumed
        ? "\(name): the SHA-256 of what an earlier call kept and the rest of \(url) is \(found), "
          + "not \(expected); nothing was kept, run it again to fetch the whole"
        : "\(name): the SHA-256 of \(url) is \(found), not \(expected); "
          + "the file there has changed, and nothing was kept"
    case .noRanges(let url):
      "\(url): the connection broke, and the server sends no rest of a file; fetch it elsewhere"
    case .noSample(let name, let url, let problem):
      "\(name): \(url): \(problem); a sample is made in one go, run it again"
    case .cancelled(let name, let kept, let all):
      "\(name): stopped; \(kept) of \(all) bytes are kept, run it again to go on"
    }
  }
}
