/// The progress of reading or writing.
public struct TraceProgress: Sendable {
  /// Bytes of the file as stored that were read or written.
  public let bytes: Int
  /// The file's size; nil where it isn't known (standard input, a pipe, a file being written).
  public let totalBytes: Int?
  /// Requests so far.
  public let requests: Int
  /// The memory that they take.
  package var held = TraceMemory()

  /// Asked about once per MiB or million requests, on the reading thread; false stops the work
  /// with the error `cancelled`.
  public typealias Callback = (TraceProgress) -> Bool
}

/// Follows how far the work has come: tells the caller about once per MiB or million requests, and ends it
/// where there are more requests than the file's size vouches for.
package final class ProgressMonitor {
  private let file: String
  private let source: any ByteSource
  private let limit: ExpansionLimit?
  private let callback: TraceProgress.Callback?
  private var requests = 0
  private var held = TraceMemory()
  private var nextBytes = 1 << 20
  private var nextRequests = 1 << 20

  init(
    file: String, source: any ByteSource, limit: ExpansionLimit? = nil,
    callback: TraceProgress.Callback?
  ) {
    self.file = file
    self.source = source
    self.limit = limit
    self.callback = callback
  }

  /// Notes the requests so far and the memory that they take, where they are known anew, and calls back when
  /// it is time.
  func advance(requests: Int? = nil, held: TraceMemory = TraceMemory()) throws(TraceError) {
    if let requests {
      self.held = held
      try limit?.check(requests: requests, of: source, file: file)
      self.requests = requests
    }
    try tell(source.consumedBytes, self.held)
  }

  /// Notes the requests so far of a file that is read at several places, and the share of it that they are.
  func advance(requests: Int, share: Double) throws(TraceError) {
    try limit?.check(requests: requests, of: source, file: file)
    self.requests = requests
    try tell(Int(share * Double(source.totalBytes ?? 0)), TraceMemory())
  }

  /// Calls back, before they are read, with such a part of a file's requests and of the bytes that they take in
  /// memory as was read of its bytes.
  func announce(requests: Int, bytes: Int) throws(TraceError) {
    let read = source.consumedBytes
    let part = Double(read) / Double(max(read, source.totalBytes ?? 0, 1))
    try call(
      read, requests: Int(part * Double(requests)),
      TraceMemory(requestBytes: Int(part * Double(bytes))))
  }

  private func tell(_ bytes: Int, _ held: TraceMemory) throws(TraceError) {
    if bytes < nextBytes, self.requests < nextRequests { return }
    nextBytes = bytes + 1 << 20
    nextRequests = self.requests + 1 << 20
    try call(bytes, requests: requests, held)
  }

  private func call(_ bytes: Int, requests: Int, _ held: TraceMemory) throws(TraceError) {
    guard let callback else { return }
    var progress = TraceProgress(
      bytes: bytes, totalBytes: source.totalBytes, requests: requests)
    progress.held = held
    if !callback(progress) { throw .cancelled(file: file) }
  }
}
