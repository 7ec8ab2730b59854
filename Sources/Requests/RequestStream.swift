import EvictionCore
import Traces

/// A trace's columns as a simulation reads them: raw, prepared once, shared by every run of a sweep.
@usableFromInline
package final class RequestStream: @unchecked Sendable {
  /// The trace behind it.
  @usableFromInline package let trace: Trace
  /// The number of its requests that are run.
  @usableFromInline package let requests: Int
  /// True if objects count their bytes.
  @usableFromInline package let isSized: Bool
  /// The attributes of a request that a run can know.
  package let offers: RequestNeeds
  /// The duration of the computation of next uses; 0 where none was needed so far.
  package var nextUseTime: Duration { nextUseTable?.duration ?? .zero }

  @usableFromInline package let ids: UnsafePointer<UInt32>
  @usableFromInline package let sizes: UnsafePointer<UInt64>?
  @usableFromInline package let times: UnsafePointer<Int64>?
  @usableFromInline package let costs: UnsafePointer<Double>?
  @usableFromInline package let ttls: UnsafePointer<Int64>?
  @usableFromInline package let operations: UnsafePointer<TraceOperation>?
  @usableFromInline package let keyLengths: UnsafePointer<UInt32>?
  @usableFromInline package let classes: UnsafePointer<UInt32>?
  @usableFromInline package let keyHashes: UnsafePointer<UInt64>?
  private let hashColumn: Column<UInt64>?
  private let nextUseTable: NextUses?

  /// Prepares `trace` for policies with the given needs.
  ///
  /// - Parameters:
  ///   - trace: The requests.
  ///   - isSized: Count bytes; the trace must have sizes.
  ///   - limit: The most requests to run.
  ///   - needs: The attributes that the policies will read; hashes are computed only if needed, and next
  ///     uses when a run first reads them.
  ///   - seed: Seeds the key hashes.
  ///   - warmup: Requests that the runs will not count: no next use is one of them.
  ///   - countsSets: True if the runs will count sets: only then is one a next use.
  /// - Complexity: O(1), and O(distinct keys) where hashes are needed.
  package convenience init(
    _ trace: Trace, isSized: Bool = false, limit: Int? = nil, needs: RequestNeeds = [],
    seed: UInt64 = 42, warmup: Int = 0, countsSets: Bool = false
  ) {
    let requests = min(limit ?? .max, trace.requests)
    self.init(
      trace, isSized: isSized, requests: requests, needs: needs, seed: seed,
      nextUses: needs.contains(.nextUse)
        ? NextUses(trace, requests: requests, warmup: warmup, countsSets: countsSets) : nil)
  }

  /// Prepares the first requests of `trace`, with next uses that other streams have, too.
  @usableFromInline package init(
    _ trace: Trace, isSized: Bool, requests: Int, needs: RequestNeeds, seed: UInt64,
    nextUses: NextUses?
  ) {
    precondition(!isSized || trace.sizes != nil, "a sized run needs a trace with sizes")
    self.trace = trace
    self.isSized = isSized
    self.requests = requests
    hashColumn = needs.contains(.keyHash) ? trace.keyHashes(seed: seed) : nil
    nextUseTable = nextUses
    ids = trace.ids.pointer
    sizes = isSized ? trace.sizes?.pointer : nil
    times = trace.times?.pointer
    costs = trace.costs?.pointer
    ttls = trace.ttls?.pointer
    operations = trace.operations?.pointer
    keyLengths = trace.keyLengths?.pointer
    classes = trace.classes?.pointer
    keyHashes = hashColumn?.pointer
    offers = RequestStream.offers(of: trace)
  }

  /// By request, the next use; nil where they were not requested. The first reader computes them, and others
  /// wait for it.
  @usableFromInline package var nextUses: UnsafePointer<UInt32>? { nextUseTable?.values }

  /// The requests at the start none of which is a next use; nil without next uses.
  @usableFromInline package var nextUseWarmup: Int? { nextUseTable?.warmup }

  /// Computes what a reader with the given needs reads and is not there yet, or waits until it is.
  package func prepare(for needs: RequestNeeds) {
    if needs.contains(.nextUse) { _ = nextUses }
  }

  /// Returns true if this stream was prepared for `needs`.
  package func has(_ needs: RequestNeeds) -> Bool {
    (keyHashes != nil || !needs.contains(.keyHash))
      && (nextUseTable != nil || !needs.contains(.nextUse))
  }

  /// Returns the attributes of a request that a run over `trace` can know.
  package static func offers(of trace: Trace) -> RequestNeeds {
    var offers: RequestNeeds = .keyHash
    if trace.requests <= NextUses.longest { offers.insert(.nextUse) }
    if trace.hasTimes { offers.insert(.time) }
    if trace.costs != nil { offers.insert(.cost) }
    if trace.ttls != nil && trace.hasTimes { offers.insert(.expiry) }
    if trace.keyLengths != nil { offers.insert(.keyLength) }
    if trace.classes != nil { offers.insert(.requestClass) }
    return offers
  }

  /// True if every request is a plain get of an object that counts one.
  @usableFromInline
  package var isPlain: Bool { !isSized && operations == nil && costs == nil }
}

extension Column {
  /// The values' address, valid as long as the column's owner.
  fileprivate var pointer: UnsafePointer<Element> {
    withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { preconditionFailure("the column is empty") }
      return base
    }
  }
}
