/// The facts about the keys of all blocks so far, by id.
package final class StreamedKeys {
  private let seed: UInt64
  private var hashColumn = ColumnBuffer<UInt64>()
  private var lengthColumn = ColumnBuffer<UInt32>()

  /// Of no keys; the hashes are varied by `seed` as those of `Trace.keyHashes(seed:)`.
  package init(seed: UInt64) { self.seed = seed }

  /// Adds the keys that appear in a block first. What was read before is no longer valid.
  package func add(_ block: TraceBlock) {
    block.appendNewKeyHashes(seed: seed, to: &hashColumn)
    block.appendNewKeyLengths(to: &lengthColumn)
  }

  /// The keys' hashes; nil where they are not kept.
  package var hashes: UnsafePointer<UInt64>? { hashColumn.values }

  /// The bytes of the keys' texts; nil where they are not kept.
  package var lengths: UnsafePointer<UInt32>? { lengthColumn.values }
}
