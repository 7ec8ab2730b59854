import CEvictionLab
import Parameters
import Traces

/// Reads a trace from a file.
@_cdecl("evl_trace_open")
public func openTrace(
  _ path: UnsafePointer<CChar>?, _ format: UnsafePointer<CChar>?, _ limit: UInt64,
  _ columns: UInt32, _ progress: evl_progress?, _ context: UnsafeMutableRawPointer?,
  _ trace: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(trace, "trace")
    let path = try Argument.text(path, "path")
    if path.isEmpty { throw .usage("path is empty; name a file") }
    let format = try format.map { (text) throws(CallFailure) in try Argument.text(text, "format") }
    let limit = try Argument.number(limit, "limit")
    let columns = try TraceColumns(bits: columns)
    let trace = try Watch.run(progress, context) { (watch) throws(CallFailure) in
      try wrapping(CallFailure.init) { () throws(TraceError) in
        try TraceLoader.load(
          paths: TraceLoader.files(ofTrace: path), format: format, columns: columns,
          limit: limit == 0 ? nil : limit
        ) { watch.note($0.bytes, of: $0.totalBytes ?? 0) }
      }
    }
    place.pointee = Handle.make(TraceObject(trace))
  }
}
