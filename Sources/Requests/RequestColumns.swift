import EvictionCore
import Traces

/// The columns of consecutive requests as a simulation reads them: raw, valid while the requests are run.
@usableFromInline
package struct RequestColumns: @unchecked Sendable {
  /// The number of requests.
  @usableFromInline package let count: Int
  /// The slots that keys may have by now.
  @usableFromInline package let slots: Int
  @usableFromInline package let ids: UnsafePointer<UInt32>
  @usableFromInline let sizes: UnsafePointer<UInt64>?
  @usableFromInline package let times: UnsafePointer<Int64>?
  @usableFromInline let costs: UnsafePointer<Double>?
  @usableFromInline let ttls: UnsafePointer<Int64>?
  @usableFromInline let operations: UnsafePointer<TraceOperation>?
  /// Nil where requests are read block by block.
  @usableFromInline let classes: UnsafePointer<UInt32>?
  /// By slot.
  @usableFromInline let keyLengths: UnsafePointer<UInt32>?
  /// By slot.
  @usableFromInline package let keyHashes: UnsafePointer<UInt64>?
  /// By request, its next use, where all are in the same block.
  @usableFromInline package let nextUses: UnsafePointer<UInt32>?

  /// All requests of a trace in memory, a stream of one block, for a reader with the given needs: one that does not
  /// need next uses does not wait for them.
  @usableFromInline
  package init(_ stream: RequestStream, needs: RequestNeeds = .knownToCaches) {
    count = stream.requests
    slots = stream.trace.distinct
    ids = stream.ids
    sizes = stream.sizes
    times = stream.times
    costs = stream.costs
    ttls = stream.ttls
    operations = stream.operations
    classes = stream.classes
    keyLengths = stream.keyLengths
    keyHashes = stream.keyHashes
    nextUses = needs.contains(.nextUse) ? stream.nextUses : nil
  }

  /// The requests of a block.
  ///
  /// - Parameters:
  ///   - block: The requests.
  ///   - isSized: Objects count their bytes.
  ///   - slots: The slots that keys may have by now, at least the distinct keys.
  ///   - keyLengths: By slot, where the trace has them.
  ///   - keyHashes: By slot, where a policy needs them.
  package init(
    _ block: TraceBlock, isSized: Bool, slots: Int, keyLengths: UnsafePointer<UInt32>?,
    keyHashes: UnsafePointer<UInt64>?
  ) {
    precondition(slots >= block.distinct, "every key has a slot")
    count = block.count
    self.slots = slots
    ids = block.ids
    sizes = isSized ? block.sizes : nil
    times = block.times
    costs = block.costs
    ttls = block.ttls
    operations = block.operations
    classes = nil
    self.keyLengths = keyLengths
    self.keyHashes = keyHashes
    nextUses = nil
  }

  /// Some of the requests of a block.
  package init(_ block: RequestColumns, _ range: Range<Int>) {
    precondition(range.upperBound <= block.count, "the block has the requests")
    count = range.count
    slots = block.slots
    ids = block.ids + range.lowerBound
    sizes = block.sizes.map { $0 + range.lowerBound }
    times = block.times.map { $0 + range.lowerBound }
    costs = block.costs.map { $0 + range.lowerBound }
    ttls = block.ttls.map { $0 + range.lowerBound }
    operations = block.operations.map { $0 + range.lowerBound }
    classes = block.classes.map { $0 + range.lowerBound }
    keyLengths = block.keyLengths
    keyHashes = block.keyHashes
    nextUses = nil
  }
}

/// The facts about requests that a run begins with.
@usableFromInline
package struct RequestShape: Sendable {
  /// The number of requests; nil where they are read block by block.
  package let requests: Int?
  /// The slots to reserve at once.
  @usableFromInline package let slots: Int
  /// True if objects count their bytes.
  @usableFromInline package let isSized: Bool
  /// True if every request is a plain get of an object that counts one.
  @usableFromInline package let isPlain: Bool
  /// The requests at the start none of which is a next use; nil without next uses.
  package let nextUseWarmup: Int?
  /// The keys by slot, where they are integers and the trace is in memory.
  let keys: Column<UInt64>?
  private let operations: Column<TraceOperation>?

  /// True if each request of a trace in memory is a get, or reads or writes a block.
  ///
  /// - Complexity: O(requests) where requests have operations.
  package var areReferences: Bool {
    operations?.prefix(requests ?? 0).allSatisfy { $0.role == .reference } ?? true
  }

  /// The shape of a trace in memory.
  package init(_ stream: RequestStream) {
    requests = stream.requests
    slots = stream.trace.distinct
    isSized = stream.isSized
    isPlain = stream.isPlain
    nextUseWarmup = stream.nextUseWarmup
    keys = stream.trace.integerKeys
    operations = stream.trace.operations
  }

  /// The shape of runs that are planned over a trace, before its requests are at hand.
  package init(_ trace: Trace, isSized: Bool, isWhole: Bool) {
    requests = isWhole ? trace.requests : nil
    slots = trace.distinct
    self.isSized = isSized
    isPlain = !isSized && trace.operations == nil && trace.costs == nil
    nextUseWarmup = nil
    keys = trace.integerKeys
    operations = trace.operations
  }

  /// The shape of requests that are read block by block.
  package init(isSized: Bool, isPlain: Bool, slots: Int) {
    requests = nil
    self.slots = slots
    self.isSized = isSized
    self.isPlain = isPlain
    nextUseWarmup = nil
    keys = nil
    operations = nil
  }
}
