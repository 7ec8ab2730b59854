import CEvictionLab
import Parameters
import Traces

/// Copies a trace from numbers.
@_cdecl("evl_trace_from_ids")
public func traceFromIDs(
  _ ids: UnsafePointer<UInt64>?, _ count: UInt64, _ columns: UnsafePointer<evl_columns>?,
  _ name: UnsafePointer<CChar>?, _ trace: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(trace, "trace")
    let ids = try Argument.elements(ids, count, "ids")
    let given = try GivenColumns(columns?.pointee ?? evl_columns(), count: count)
    let trace = try memoryTrace(.integer, given, name) { (builder) throws(TraceError) in
      guard let start = UnsafeRawPointer(ids.baseAddress) else { return }
      try builder.append(keysAt: start, stride: MemoryLayout<UInt64>.stride, count: ids.count)
    }
    place.pointee = Handle.make(TraceObject(trace))
  }
}

/// Copies a trace from texts.
@_cdecl("evl_trace_from_texts")
public func traceFromTexts(
  _ bytes: UnsafePointer<UInt8>?, _ length: UInt64, _ offsets: UnsafePointer<UInt64>?,
  _ count: UInt64, _ columns: UnsafePointer<evl_columns>?, _ name: UnsafePointer<CChar>?,
  _ trace: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(trace, "trace")
    let length = try Argument.number(length, "length")
    if bytes == nil && length > 0 { throw .usage("bytes is NULL; pass a pointer") }
    if count == .max { throw .usage("offsets cannot have \(count) elements; check the count") }
    let offsets = try Argument.elements(offsets, count + 1, "offsets")
    try check(offsets, length: length)
    let given = try GivenColumns(columns?.pointee ?? evl_columns(), count: count)
    let trace = try memoryTrace(.text, given, name) { (builder) throws(TraceError) in
      for index in 0..<offsets.count - 1 {
        let (start, end) = (Int(offsets[index]), Int(offsets[index + 1]))
        try builder.append(
          text: UnsafeRawBufferPointer(start: bytes.map { $0 + start }, count: end - start))
      }
    }
    place.pointee = Handle.make(TraceObject(trace))
  }
}

/// Refuses offsets that fall or lie beyond the bytes.
private func check(_ offsets: UnsafeBufferPointer<UInt64>, length: Int) throws(CallFailure) {
  var last: UInt64 = 0
  for (index, offset) in offsets.enumerated() {
    if offset < last {
      throw .usage("offsets[\(index)] is \(offset), less than the one before; sort them")
    }
    if offset > UInt64(length) {
      throw .usage("offsets[\(index)] is \(offset), and there are \(length) bytes; check length")
    }
    last = offset
  }
}

/// Builds a trace of keys in memory.
private func memoryTrace(
  _ kind: KeyKind, _ given: GivenColumns, _ name: UnsafePointer<CChar>?,
  keys: (inout TraceBuilder) throws(TraceError) -> Void
) throws(CallFailure) -> Trace {
  let name = try name.map { (text) throws(CallFailure) in try Argument.text(text, "name") }
  return try wrapping(CallFailure.init) { () throws(TraceError) in
    var builder = TraceBuilder(
      name: name ?? "memory", format: "memory", keys: kind, columns: .allOfInterface)
    given.append(to: &builder)
    try keys(&builder)
    return try builder.finish()
  }
}
