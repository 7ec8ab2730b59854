import EvictionCore
import Parameters

/// Decides which objects to fetch before they are requested: composes with any policy, in simulations.
///
/// A prefetcher overrides two members or three. For each request the run calls ``record(_:isHit:)``, and when the request
/// is over, the object of a miss included, ``propose(after:to:)``. What is proposed and not resident enters the policy as
/// on a miss, one after the other. After each of these, and of what a miss inserts, ``recordEviction(of:isUnused:)`` tells
/// what left.
package class Prefetcher {
  /// The catalog's entry.
  package class var information: PrefetcherInformation {
    preconditionFailure("a prefetcher describes itself")
  }

  /// Creates the prefetcher of an empty cache.
  package required init(_ configuration: PrefetcherConfiguration) {}

  /// A request, before anything is decided about it; a hit if its object is resident. Notes nothing by default.
  package func record(_ slot: Slot, isHit: Bool) {}

  /// An object left, and what it made room for has entered; it is unused if a prefetch brought it in and no request found
  /// it since. Notes nothing by default.
  ///
  /// - Returns: True if the object is to enter again, as on a miss, though it need not be fetched. False by default.
  package func recordEviction(of slot: Slot, isUnused: Bool) -> Bool { false }

  /// Appends the objects to fetch after the request of `slot`. None by default.
  package func propose(after slot: Slot, to proposals: inout [Slot]) {}
}

/// The entry of a prefetcher in the catalog, the help and the documentation.
package struct PrefetcherInformation: Sendable {
  /// The name on the command line, in lower case.
  package let name: String
  /// One line: the objects that are fetched.
  package let summary: String
  /// The source: authors, title, venue and year.
  package let paper: String
  /// The reason why it should work, in a few sentences.
  package let idea: String
  /// The notes that it takes of every request, and its rule.
  package let decision: String
  /// Time per request, and memory.
  package let complexity: String
  /// The differences to other implementations, and the decisions made here where the paper is silent.
  package let differences: String
  /// Its parameters.
  package let parameters: [Parameter]
  /// True if it reads keys, which then have to be integers.
  package let readsKeys: Bool

  /// The parameters as they are written behind a policy: `prefetch.run`.
  package var nestedParameters: [Parameter] { parameters.map { $0.nested(in: "prefetch") } }
}

/// The configuration of a new prefetcher.
package struct PrefetcherConfiguration {
  /// C: objects, or bytes in a sized run.
  let capacity: Int
  /// True if objects count their bytes.
  let isSized: Bool
  /// The keys by slot.
  package let keys: SlotKeys
  /// The prefetcher's parameters.
  package let arguments: Arguments

  /// The bytes of the cached objects, of which those that count one have as many as `block` says.
  var bytes: Int {
    if isSized { return capacity }
    let (bytes, isMore) = capacity.multipliedReportingOverflow(by: arguments.integer("block"))
    return isMore ? .max : bytes
  }
}
