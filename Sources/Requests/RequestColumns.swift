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
  @usableFromInline let times: UnsafePointer<Int64>?
  @usableFromInline let costs: UnsafePointer<Double>?
  @usableFromInline let ttls: UnsafePointer<Int64>?
  @usableFromInline let operations: UnsafePointer<TraceOperation>?
  /// By slot.
  @usableFromInline let keyLengths: UnsafePointer<UInt32>?
  /// By slot.
  @usableFromInline package let keyHashes: UnsafePointer<UInt64>?

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
    self.keyLengths = keyLengths
    self.keyHashes = keyHashes
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
    keyLengths = block.keyLengths
    keyHashes = block.keyHashes
  }
}

/// A source of the requests of a block.
@usableFromInline
package protocol BlockRequestSource: RequestSource {
  /// The requests of a block.
  init(_ columns: RequestColumns)
}

extension PlainSource: BlockRequestSource {
  @usableFromInline
  package init(_ columns: RequestColumns) {
    ids = columns.ids
    keyHashes = columns.keyHashes
    nextUses = nil
    times = columns.times
    ttls = columns.ttls
    keyLengths = columns.keyLengths
  }
}

extension ColumnSource: BlockRequestSource {
  @usableFromInline
  package init(_ columns: RequestColumns) {
    plain = PlainSource(columns)
    sizes = columns.sizes
    costs = columns.costs
    operations = columns.operations
    weighs = sizes != nil || costs != nil || operations != nil
  }
}
