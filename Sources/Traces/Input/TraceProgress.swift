/// The progress of reading or writing.
public struct TraceProgress: Sendable {
  /// Bytes of the file as stored that were read or written.
  public let bytes: Int
  /// The file's size; nil where it isn't known (standard input, a pipe, a file being written).
  public let totalBytes: Int?
  /// Requests so far.
  public let requests: Int
  /// Bytes of memory that they take.
  package var held = HeldMemory()

  /// The memory of a trace that is being read.
  package struct HeldMemory: Sendable {
    /// Bytes of what there is for each request.
    package var requestBytes = 0
    /// Bytes of what there is for each distinct key.
    package var keyBytes = 0
  }

  /// Asked about once per MiB or million requests, on the reading thread; false stops the work
  /// with the error `cancelled`.
  public typealias Callback = (TraceProgress) -> Bool
}
