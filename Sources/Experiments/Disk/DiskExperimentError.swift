import DiskTier
import Runner

/// An experiment on disk that cannot be run.
package enum DiskExperimentError: Error, Equatable {
  /// The trace does not say how large its objects are.
  case sizesMissing(trace: String)
  /// The trace has an object that is larger than any experiment writes.
  case tooLarge(trace: String, bytes: Int)
  /// The policy is to follow the sizes of requests that hit, and a get does not change a value.
  case resizes(policy: String)
  /// The disk has too little space.
  case space(path: String, needed: Int, free: Int)
  /// The folder cannot be used.
  case folder(path: String, problem: String)
  /// The cache failed.
  case cache(DiskCacheError)

  /// The largest value that an experiment writes, in bytes.
  package static let largestValue = 256 << 20
}

extension DiskExperimentError: CustomStringConvertible {
  /// One line: what is wrong, where, and what to do.
  package var description: String {
    switch self {
    case .sizesMissing(let trace):
      "\(trace) has no sizes, so there is nothing to write; give a trace with sizes"
    case .tooLarge(let trace, let bytes):
      "\(trace) has an object of \(bytes) bytes, more than \(Self.largestValue); "
        + "filter it out"
    case .resizes(let policy):
      "\(policy): a get leaves a value on disk as it is, a set always resizes it; leave out resize"
    case .space(let path, let needed, let free):
      "\(path): the experiment may need \(needed) bytes, and \(free) are free; "
        + "choose a smaller capacity or another --folder"
    case .folder(let path, let problem):
      "\(path): \(problem); choose another --folder"
    case .cache(let error): "\(error)"
    }
  }
}
