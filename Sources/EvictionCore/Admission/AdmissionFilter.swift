/// Decides which newcomers a cache offers to its policy: composes with any policy.
///
/// A filter has three members that matter, and overrides those it needs:
///
///     public final class NoScans: AdmissionFilter {
///       override public func record(_ request: Request) { … }                // every request
///       override public func admits(_ request: Request) -> Bool { … }        // a miss, at the door
///       override public func prefers(
///         _ victim: UInt64, over newcomer: UInt64) -> Bool { … }             // at each eviction
///     }
///
/// For each request the host first calls ``record(_:)``; on a miss of an object that fits the capacity
/// it asks ``admits(_:)``, and if the answer is no, the policy never hears of the request. While the
/// policy makes room, ``prefers(_:over:)`` is asked about each victim that it proposes; if the filter
/// prefers the victim, the newcomer is refused and no more is evicted. What has been evicted for it by
/// then is gone. Trims, hits and writes that grow an object do not ask.
///
/// A filter never sees a slot: the slot of a request means nothing to it. It knows keys by their stable
/// hashes, and must decide by nothing that differs between a simulation and a real cache. Removals are
/// not reported: what a filter has learned stays.
///
/// Keep the state behind a `let` of an unsafe pointer, which spares every access the check for
/// exclusivity that a class's variables need.
open class AdmissionFilter {
  /// The catalog's entry.
  open class var information: AdmissionInformation {
    preconditionFailure("an admission filter describes itself")
  }

  /// Creates the filter of an empty cache.
  public required init(_ configuration: AdmissionConfiguration) {}

  /// A request, hit or miss, before anything is decided about it; a hit has the size that its object was
  /// admitted with. Notes nothing by default.
  open func record(_ request: Request) {}

  /// Returns true if the policy shall hear of the request, a miss, which was recorded just now. Always true by
  /// default.
  open func admits(_ request: Request) -> Bool { true }

  /// Returns true if the resident with the key hash `victim` shall stay rather than give room to the newcomer.
  /// Always false by default.
  open func prefers(_ victim: UInt64, over newcomer: UInt64) -> Bool { false }

  /// The newcomer was admitted; `residents` objects are resident now. Does nothing by default.
  open func admitted(residents: Int) {}

  /// The capacity changed. Does nothing by default.
  open func resize(to capacity: Int) {}

  /// Passes on all that changes while the filter is at work, as ``ReplacementPolicy/visitState(_:)`` does. Passes on
  /// nothing by default: right for a filter that learns nothing and draws nothing.
  open func visitState(_ state: inout PolicyState) {}

  /// Shows what the filter has learned by now, each under a short name that never changes. Shows nothing
  /// by default.
  open func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {}
}

extension AdmissionFilter {
  /// Everything that changes; nil if the filter refuses.
  func written() -> [UInt8]? {
    var state = PolicyState()
    visitState(&state)
    return state.written()
  }

  /// Takes over what another filter kept, which had the same parameters.
  ///
  /// - Returns: False if the bytes are none of such a filter; then this one must not be used.
  func read(_ bytes: [UInt8]) -> Bool {
    var state = PolicyState(reading: bytes)
    visitState(&state)
    return state.endsHere()
  }
}
