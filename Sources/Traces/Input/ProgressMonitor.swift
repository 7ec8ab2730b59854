/// Tells the caller about once per MiB or million requests how far the work has come.
package final class ProgressMonitor {
  private let file: String
  private let source: any ByteSource
  private let callback: TraceProgress.Callback?
  private var requests = 0
  private var nextBytes = 1 << 20
  private var nextRequests = 1 << 20

  init(file: String, source: any ByteSource, callback: TraceProgress.Callback?) {
    self.file = file
    self.source = source
    self.callback = callback
  }

  /// Notes the requests so far, where they are known anew, and calls back when it is time.
  func advance(requests: Int? = nil) throws(TraceError) {
    guard let callback else { return }
    if let requests { self.requests = requests }
    let bytes = source.consumedBytes
    if bytes < nextBytes, self.requests < nextRequests { return }
    nextBytes = bytes + 1 << 20
    nextRequests = self.requests + 1 << 20
    let progress = TraceProgress(
      bytes: bytes, totalBytes: source.totalBytes, requests: self.requests)
    if !callback(progress) { throw .cancelled(file: file) }
  }
}
