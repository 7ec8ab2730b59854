/// Follows how far the work has come: tells the caller about once per MiB or million requests, and ends it
/// where there are more requests than the file's size vouches for.
package final class ProgressMonitor {
  private let file: String
  private let source: any ByteSource
  private let limit: ExpansionLimit?
  private let callback: TraceProgress.Callback?
  private var requests = 0
  private var held = TraceProgress.HeldMemory()
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
  func advance(requests: Int? = nil, held: TraceProgress.HeldMemory = .init()) throws(TraceError) {
    if let requests {
      self.held = held
      try limit?.check(requests: requests, of: source, file: file)
      self.requests = requests
    }
    guard let callback else { return }
    let bytes = source.consumedBytes
    if bytes < nextBytes, self.requests < nextRequests { return }
    nextBytes = bytes + 1 << 20
    nextRequests = self.requests + 1 << 20
    var progress = TraceProgress(
      bytes: bytes, totalBytes: source.totalBytes, requests: self.requests)
    progress.held = held
    if !callback(progress) { throw .cancelled(file: file) }
  }
}
