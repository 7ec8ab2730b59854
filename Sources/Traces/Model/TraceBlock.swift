/// Consecutive requests of a trace that is read block by block, and the keys that appear in it first.
///
/// The columns are those of a ``Trace``, as far as they are wanted and the source has them.
package final class TraceBlock: @unchecked Sendable {
  /// The number of requests.
  package internal(set) var count = 0
  /// The distinct keys of the trace up to the end of the block.
  package internal(set) var distinct = 0

  var idColumn = ColumnBuffer<UInt32>()
  var sizeColumn = ColumnBuffer<UInt64>()
  var timeColumn = ColumnBuffer<Int64>()
  var operationColumn = ColumnBuffer<TraceOperation>()
  var ttlColumn = ColumnBuffer<Int64>()
  var costColumn = ColumnBuffer<Double>()
  /// By id, from the first key on that no block before has: hashes as of seed 0.
  var hashesOfNewKeys = ColumnBuffer<UInt64>()
  /// The same for the bytes of the keys' texts.
  var lengthsOfNewKeys = ColumnBuffer<UInt32>()

  init() {}

  /// The dense id of each request's key; valid until the next block is taken, as all columns are.
  package var ids: UnsafePointer<UInt32> {
    // A block holds a request at least.
    UnsafePointer(idColumn.elements.unsafelyUnwrapped)
  }
  /// Bytes per request.
  package var sizes: UnsafePointer<UInt64>? { sizeColumn.values }
  /// The time of each request, in nanoseconds.
  package var times: UnsafePointer<Int64>? { timeColumn.values }
  /// The operation of each request.
  package var operations: UnsafePointer<TraceOperation>? { operationColumn.values }
  /// The time to live of each request's object, in nanoseconds.
  package var ttls: UnsafePointer<Int64>? { ttlColumn.values }
  /// The penalty of a miss of each request.
  package var costs: UnsafePointer<Double>? { costColumn.values }

  /// The stable hashes of the keys that appear in this block first, by id, varied by a seed as those of
  /// `Trace.keyHashes(seed:)`; there where the reader was to keep them.
  func appendNewKeyHashes(seed: UInt64, to hashes: inout ColumnBuffer<UInt64>) {
    guard let values = hashesOfNewKeys.elements else { return }
    for index in 0..<hashesOfNewKeys.count { hashes.append(values[index].varied(by: seed)) }
  }

  /// The bytes of the texts of the keys that appear in this block first, by id.
  func appendNewKeyLengths(to lengths: inout ColumnBuffer<UInt32>) {
    guard let values = lengthsOfNewKeys.elements else { return }
    lengths.append(values, count: lengthsOfNewKeys.count)
  }

  /// A trace of one request with the columns of this block, for those that look at no request.
  package func outline(name: String, format: String, reasons: [FormatReason]) -> Trace {
    func one<Element>(_ column: borrowing ColumnBuffer<Element>, _ value: Element) -> Column<
      Element
    >? {
      column.count == 0 ? nil : Column([value])
    }
    return Trace(
      name: name, format: format, ids: Column([0]), identities: .integers(Column([0])),
      sizes: one(sizeColumn, 1), times: one(timeColumn, 0), operations: one(operationColumn, .get),
      ttls: one(ttlColumn, 0), costs: one(costColumn, 1), classes: nil, classNames: [],
      keyLengths: one(lengthsOfNewKeys, 1), groupStarts: nil, formatReasons: reasons)
  }
}

extension ColumnBuffer {
  /// The values; nil where there are none.
  var values: UnsafePointer<Element>? {
    count == 0 ? nil : elements.map { UnsafePointer($0) }
  }
}
