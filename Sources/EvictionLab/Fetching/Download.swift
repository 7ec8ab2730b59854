import Foundation
import Synchronization
import Traces

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One attempt to bring the rest of a file: asks for the bytes from where it ends, and writes them as they
/// come.
final class Download: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let entry: TraceManifest.Entry
  private let part: PartialFile
  private let progress: @Sendable (Int) -> Bool
  private let ended = DispatchSemaphore(value: 0)
  /// Why it was given up; the session's own thread writes it before `ended`.
  private var failure: (any Error)?

  init(
    _ entry: TraceManifest.Entry, into part: PartialFile,
    progress: @escaping @Sendable (Int) -> Bool
  ) {
    self.entry = entry
    self.part = part
    self.progress = progress
  }

  /// Returns at the end of what the server sends.
  func run() throws {
    guard let url = URL(string: entry.url) else {
      throw connectionError("the address is none")
    }
    var request = URLRequest(url: url)
    // The checksum is that of the stored bytes.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if part.size > 0 { request.setValue("bytes=\(part.size)-", forHTTPHeaderField: "Range") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 60
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    session.dataTask(with: request).resume()
    ended.wait()
    session.finishTasksAndInvalidate()
    if let failure { throw failure }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    do {
      switch status {
      case 206: break
      // The whole file, whatever was asked for; and a rest that does not exist.
      case 200, 416: try part.truncate()
      default: throw FetchError.refused(name: entry.name, url: entry.url, status: status)
      }
      if status == 416 { throw connectionError("it holds fewer bytes than were there before") }
      completionHandler(.allow)
    } catch {
      failure = error
      completionHandler(.cancel)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if failure != nil { return }
    do {
      if part.size + data.count > entry.bytes {
        try part.truncate()
        throw connectionError("it sends more than \(entry.bytes) bytes")
      }
      try data.withUnsafeBytes { try part.append($0) }
      if !progress(part.size) {
        throw FetchError.cancelled(name: entry.name, kept: part.size, of: entry.bytes)
      }
    } catch {
      failure = error
      dataTask.cancel()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if failure == nil, let error { failure = connectionError(error.localizedDescription) }
    ended.signal()
  }

  private func connectionError(_ problem: String) -> FetchError {
    .connection(
      name: entry.name, url: entry.url, problem: problem.trimmingCharacters(in: ["."]),
      kept: part.size, of: entry.bytes)
  }
}
