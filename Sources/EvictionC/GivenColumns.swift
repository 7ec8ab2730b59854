import CEvictionLab
import Traces

/// The columns that a caller gives beside its keys, checked.
struct GivenColumns {
  private let sizes: UnsafeBufferPointer<UInt64>?
  private let times: UnsafeBufferPointer<Int64>?
  private let operations: UnsafeBufferPointer<TraceOperation>?
  private let ttls: UnsafeBufferPointer<Int64>?
  private let costs: UnsafeBufferPointer<Double>?

  /// The columns of `count` requests.
  init(_ columns: evl_columns, count: UInt64) throws(CallFailure) {
    if count == 0 { throw .usage("count is 0; give at least one request") }
    sizes = try GivenColumns.elements(columns.sizes, count, "sizes")
    times = try GivenColumns.elements(columns.times, count, "times")
    operations = try GivenColumns.operations(columns.operations, count)
    ttls = try GivenColumns.elements(columns.ttls, count, "ttls")
    costs = try GivenColumns.elements(columns.costs, count, "costs")
    if let index = ttls?.firstIndex(where: { $0 < 0 }) {
      throw .usage("ttls[\(index)] is negative; give nanoseconds, or 0 for ever")
    }
    if let index = costs?.firstIndex(where: { !($0 >= 0 && $0.isFinite) }) {
      throw .usage("costs[\(index)] is no finite number from 0 on; correct it")
    }
  }

  private static func elements<Element: BitwiseCopyable>(
    _ start: UnsafePointer<Element>?, _ count: UInt64, _ name: String
  ) throws(CallFailure) -> UnsafeBufferPointer<Element>? {
    if start == nil { return nil }
    return try Argument.elements(start, count, name)
  }

  private static func operations(
    _ start: UnsafePointer<UInt8>?, _ count: UInt64
  ) throws(CallFailure) -> UnsafeBufferPointer<TraceOperation>? {
    guard let codes = try elements(start, count, "operations") else { return nil }
    if let index = codes.firstIndex(where: { TraceOperation(rawValue: $0) == nil }) {
      throw .usage("operations[\(index)] is \(codes[index]); give EVL_GET to EVL_TOUCH")
    }
    // Codes are the raw values of the operations, which are their bytes.
    return UnsafeRawBufferPointer(codes).assumingMemoryBound(to: TraceOperation.self)
  }

  /// Appends every column.
  func append(to builder: inout TraceBuilder) {
    if let sizes, let start = sizes.baseAddress {
      if sizes.contains(Trace.unknownSize) { builder.expectUnknownSizes() }
      builder.append(sizes: start, count: sizes.count)
    }
    if let times, let start = times.baseAddress { builder.append(times: start, count: times.count) }
    if let operations, let start = operations.baseAddress {
      builder.append(operations: start, count: operations.count)
    }
    ttls?.forEach { builder.append(ttl: $0) }
    costs?.forEach { builder.append(cost: $0) }
  }
}
