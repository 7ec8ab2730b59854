import CEvictionLab
import Traces

/// A trace with its names: an `evl_trace`.
final class TraceObject: Sendable {
  let trace: Trace
  let name: CText
  let format: CText

  init(_ trace: Trace) {
    self.trace = trace
    name = CText(trace.name)
    format = CText(trace.format)
  }

  /// The trace behind an argument.
  static func trace(_ handle: OpaquePointer?) throws(CallFailure) -> Trace {
    try Handle.object(handle, TraceObject.self, named: "trace").trace
  }
}

/// Returns the name of a trace.
@_cdecl("evl_trace_name")
public func traceName(_ trace: OpaquePointer?) -> UnsafePointer<CChar>? {
  trace.map { Handle.object($0, TraceObject.self).name.pointer }
}

/// Returns the format of a trace.
@_cdecl("evl_trace_format")
public func traceFormat(_ trace: OpaquePointer?) -> UnsafePointer<CChar>? {
  trace.map { Handle.object($0, TraceObject.self).format.pointer }
}

/// Closes a trace.
@_cdecl("evl_trace_close")
public func closeTrace(_ trace: OpaquePointer?) { Handle.free(trace, TraceObject.self) }

/// Computes the facts about a trace.
@_cdecl("evl_trace_get_info")
public func traceInfo(
  _ trace: OpaquePointer?, _ info: UnsafeMutablePointer<evl_trace_info>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let trace = try TraceObject.trace(trace)
    let place = try Argument.present(info, "info")
    var info = evl_trace_info()
    info.requests = UInt64(trace.requests)
    info.keys = UInt64(trace.distinct)
    let sizes = trace.sizes?.lazy.filter { $0 != Trace.unknownSize }
    info.requested_bytes = sizes?.reduce(0, &+) ?? 0
    info.key_bytes = UInt64(trace.distinctBytes ?? 0)
    info.first_time = trace.times?.min() ?? 0
    info.last_time = trace.times?.max() ?? 0
    info.columns = trace.columns.bits
    place.pointee = info
  }
}
