/// The progress of reading or writing.
public struct TraceProgress: Sendable {
  /// Bytes of the file as stored that were read or written.
  public let bytes: Int
  /// The file's size; nil where it isn't known (standard input, a pipe, a file being written).
  public let totalBytes: Int?
  /// Requests so far.
  public let requests: Int

  /// Asked about once per MiB or million requests, on the reading thread; false stops the work
  /// with the error `cancelled`.
  public typealias Callback = (TraceProgress) -> Bool
}
