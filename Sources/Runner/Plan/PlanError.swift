import EvictionCore
import Parameters
import Traces

/// The reason why a sweep cannot be planned.
package enum PlanError: Error {
  /// The families of errors, by what a caller can do about them.
  package enum Kind: Sendable {
    /// The request itself is wrong.
    case usage
    /// The trace lacks what a policy needs.
    case data
  }

  /// The text is no capacity.
  case capacity(text: String)
  /// A comma that looks like a thousands separator.
  case thousands(ThousandsSeparator)
  /// Plain numbers beside byte units: do they count objects or bytes?
  case mixedCapacities
  /// Bytes are to be counted, and the trace has no sizes.
  case sizesMissing(trace: String)
  /// Windows of time on a trace without times.
  case timesMissing(trace: String)
  /// A delay that is a time on a trace without times.
  case timesMissingForDelay(trace: String)
  /// A delay that is a time on a trace whose times, or these and the delay, span more than numbers hold.
  case timesTooFarForDelay(trace: String)
  /// A policy that reads classes on a stream, which has none.
  case classesOfStream(policy: String)
  /// Classes are to be counted one by one, and the trace has none.
  case classesMissing(trace: String)
  /// No trace tells when its objects expire.
  case timesToLiveMissing(trace: String)
  /// Objects are to expire in a sample of the keys.
  case expiringSample
  /// A sample of the keys in another order.
  case variedSample
  /// Requests at the start of a sample of the keys are not to count.
  case warmSample
  /// The windows of time are too short for the trace.
  case windows(trace: String, most: Int)
  /// The trace lacks what a policy needs.
  case needsMissing(policy: String, trace: String, needs: [String])
  /// Two traces of one name would not be told apart in the results.
  case sameName(trace: String)
  /// The warm-up leaves nothing to count.
  case warmup(trace: String, requests: Int, warmup: Int)
  /// The policy needs requests that are still to come, of a trace that is read block by block.
  case future(policy: String)
  /// A fraction of the keys of a stream, whose number is not known before its end.
  case unknownKeys(trace: String)
  /// Every cell was left out.
  case nothingToRun
  /// No request of the trace is counted.
  case nothingCounted(trace: String, requests: Int, remedy: String)
  /// A sample of the keys is too small for every capacity.
  case sampleTooSmall(trace: String, keys: Int, rate: Double, remedy: String)
  /// A capacity in bytes is less than a block of prompts takes; nil: more bytes than 64 bits count.
  case lessThanBlock(trace: String, capacity: String, block: Int?)
  /// The trace names no blocks of prompts; the format may know why, and what to do.
  case noPrompts(trace: String, format: String, reason: String?)
  /// The router goes by sessions, and the trace has none; these do not.
  case sessionsMissing(router: String, trace: String, others: [String])
  /// A worker is lost or added after the last prompt.
  case workerChange(trace: String, change: String, prompts: Int)
  /// A capacity in bytes for blocks that differ in tokens.
  case unequalBlocks(trace: String, capacity: String)
  /// The policy cannot run as a cache of prefixes.
  case pins(policy: String)
  /// The order ranks the ends of chains, and every block may leave.
  case freeOrder(order: String)
  /// The order sees prompts, and a tier has only a part of each.
  case tieredOrder(order: String)
  /// A tier below the device is wrong.
  case tier(name: String, problem: String)
  /// Caches of prefixes have no admission filter.
  case admission(policy: String)
  /// A capacity in bytes without the bytes of a token.
  case bytesPerTokenMissing
  /// A policy cannot be run.
  case policy(PolicyError)
  /// A delay or a prefetcher does not fit a trace.
  case conflict(PolicyError, on: String)
  /// A policy cannot be run at a fraction of a trace's keys.
  case tooSmallFraction(PolicyError, Fraction, of: String, is: Int)

  /// The family that the error belongs to.
  package var kind: Kind {
    switch self {
    case .needsMissing, .timesMissing, .timesMissingForDelay, .timesTooFarForDelay,
      .classesMissing, .timesToLiveMissing, .noPrompts, .nothingCounted,
      .sessionsMissing:
      .data
    default: .usage
    }
  }
}

extension PlanError: CustomStringConvertible {
  /// One line: what is wrong, where, and what to do.
  package var description: String {
    switch self {
    case .capacity(let text):
      "“\(text)” is no capacity; "
        + "write objects (1000, 1e6), a fraction (1%) or bytes (64MiB), at most 64PiB"
    case .mixedCapacities:
      "plain capacities beside bytes: does a plain one count objects or bytes? "
        + "--sized makes it bytes"
    case .sizesMissing(let trace):
      "\(trace) has no sizes, so capacities cannot be bytes; give objects (1000) or a fraction (1%)"
    case .timesMissing(let trace):
      "\(trace) has no times, so windows cannot last a time; give how many there are (100)"
    case .timesTooFarForDelay(let trace):
      "the times of \(trace) and the delay span more than 292 years; give the delay in requests (100requests)"
    case .classesOfStream(let policy):
      "\(policy) reads the classes of requests, which are not read block by block; leave out --stream"
    case .timesMissingForDelay(let trace):
      "\(trace) has no times, so a miss cannot last one; give the delay in requests (100requests)"
    case .classesMissing(let trace):
      "\(trace) has no classes, so hits cannot be told by class; leave out --by-class"
    case .timesToLiveMissing(let trace):
      "\(trace) has no times to live, or no times, so nothing can expire; leave out --expire"
    case .expiringSample:
      "--expire looks at all keys, as the error of a sample is not known where objects expire; leave out --rate"
    case .variedSample:
      "--jitter and --offset look at all keys, as a sample has no neighbours that change places; leave out --rate"
    case .warmSample:
      "--warmup looks at all keys, as it counts requests, and a sample has fewer; leave out --rate"
    case .windows(let trace, let most):
      "\(trace) would be cut into more than \(most) windows; make them longer"
    case .needsMissing(let policy, let trace, let needs):
      "\(policy) needs \(needs.joined(separator: ", ")), which \(trace) does not have; "
        + "leave the policy out or record the trace with them"
    case .sameName(let trace):
      "two traces are called \(trace), and results could not tell them apart; leave one out"
    case .warmup(let trace, let requests, let warmup):
      "a warm-up of \(warmup) leaves none of the \(requests) requests of \(trace); lower it"
    case .future(let policy):
      "\(policy) needs the future, which --stream does not know; leave the policy out, or run it on a "
        + "sample: evict trace sample"
    case .unknownKeys(let trace):
      "\(trace): the number of keys is known at the end only, so capacities cannot be fractions; "
        + "give objects (1000) or bytes (64MiB), or a file"
    case .nothingToRun:
      "no policy can run at these capacities; give larger ones"
    case .sampleTooSmall(let trace, let keys, let rate, let remedy):
      "\(trace): a sample of \(rate.percent) of its keys, \(keys) of them, is too small for these "
        + "capacities; \(remedy)"
    case .thousands(let separator):
      separator.description
    case .nothingCounted(let trace, let requests, let remedy):
      "\(trace): none of its \(requests) requests is a get, so there is no hit ratio; \(remedy)"
    case .noPrompts(let trace, let format, let reason):
      "\(trace) (\(format)): "
        + (reason
          ?? "it does not say which blocks its prompts consist of, so which of them share a prefix is "
          + "unknown; give a trace with hash_ids (evict formats)")
    case .sessionsMissing(let router, let trace, let others):
      "\(trace): its prompts have no sessions, by which --router \(router) goes; give "
        + others.joined(separator: " or ")
    case .workerChange(let trace, let change, let prompts):
      "--worker-changes \(change) comes after the last of the \(prompts) prompts of \(trace); give a smaller "
        + "number or a fraction (50%)"
    case .unequalBlocks(let trace, let capacity):
      "\(trace): its blocks differ in tokens, so \(capacity) are no number of blocks; give blocks (1000) "
        + "or a fraction of all (1%)"
    case .lessThanBlock(let trace, let capacity, let block):
      "\(trace): \(capacity) is less than one of its blocks, which takes "
        + "\(block.map(String.init) ?? "more than 9223372036854775807") bytes; give more"
    case .pins(let policy):
      "\(policy) is left out: it cannot pass over blocks that others follow, as a PinnablePolicy does; "
        + "--free runs it without chains"
    case .freeOrder(let order):
      "\(order) is left out: it ranks the ends of chains, and --free knows none; run it without --free"
    case .tieredOrder(let order):
      "\(order) is left out: it ranks whole prompts, and with --tiers the device has only a part of each; "
        + "run it without --tiers"
    case .tier(let name, let problem):
      "tier \(name): \(problem)"
    case .admission(let policy):
      "\(policy): a cache of prefixes has no admission filter; leave it out"
    case .bytesPerTokenMissing:
      "a capacity in bytes needs the bytes of a token; give --model or --bytes-per-token"
    case .policy(let error):
      error.description
    case .conflict(let error, let trace):
      "\(trace): \(error)"
    case .tooSmallFraction(let error, let fraction, let trace, let capacity):
      "\(error); \((Double(fraction.numerator) / Double(fraction.denominator)).percent) of \(trace) is \(capacity)"
    }
  }
}
