import Foundation
import Synchronization
import Traces

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One attempt to bring the rest of a file: asks for the bytes from where it ends, and writes them as they
/// come.
///
/// It is over as soon as it is cancelled, fails or has more bytes than it should, whatever the server does: the
/// session is left to itself then, and nothing that it still brings is written.
final class Download: NSObject, URLSessionDataDelegate, Sendable {
  private let name: String
  private let url: String
  /// The bytes of the whole file; nil where they are not known.
  private let bytes: Int?
  private let part: any DownloadTarget
  private let progress: @Sendable (Int) -> Bool
  private let ended = DispatchSemaphore(value: 0)
  /// The end of the attempt; nil while it goes on.
  private let end = Mutex<Result<Void, any Error>?>(nil)
  private let announced = Mutex<Int?>(nil)

  /// The bytes of the whole file as the server says; nil before it answers.
  var total: Int? { announced.withLock { $0 } }

  /// The time between two looks at whether the work is to go on.
  private static let pause = DispatchTimeInterval.milliseconds(100)

  init(
    _ name: String, url: String, bytes: Int?, into part: any DownloadTarget,
    progress: @escaping @Sendable (Int) -> Bool
  ) {
    self.name = name
    self.url = url
    self.bytes = bytes
    self.part = part
    self.progress = progress
  }

  /// Returns at the end of what the server sends.
  func run() throws {
    guard let url = URL(string: url) else {
      throw connectionError("the address is none")
    }
    var request = URLRequest(url: url)
    // The checksum is that of the stored bytes.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if part.size > 0 { request.setValue("bytes=\(part.size)-", forHTTPHeaderField: "Range") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 60
    let session = URLSession(
      configuration: configuration, delegate: self, delegateQueue: BoundedQueue())
    session.dataTask(with: request).resume()
    while ended.wait(timeout: .now() + Download.pause) == .timedOut { step { _ in } }
    // Not waited for: a server that sends without a pause keeps the session from cancelling.
    DispatchQueue.global().async { session.invalidateAndCancel() }
    try end.withLock { $0 }?.get()
  }

  /// Does a part of the work while the attempt goes on; ends it where that fails or the work is to stop.
  private func step(_ body: (any DownloadTarget) throws -> Void) {
    end.withLock { end in
      if end != nil { return }
      do {
        try body(part)
        if progress(part.size) { return }
        end = .failure(FetchError.cancelled(name: name, kept: part.size, of: bytes ?? total ?? 0))
      } catch {
        end = .failure(error)
      }
      ended.signal()
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    step { part in
      switch status {
      case 206: break
      // The whole file, whatever the request.
      case 200: try part.truncate()
      // The rest does not exist.
      case 416: throw try changed("it holds fewer than \(bytes ?? part.size) bytes")
      default: throw FetchError.refused(name: name, url: url, status: status)
      }
      let length = Int(response.expectedContentLength)
      if length >= 0 { announced.withLock { $0 = part.size + length } }
      if let bytes, length > bytes - part.size { throw try tooMuch(bytes) }
    }
    completionHandler(end.withLock { $0 == nil } ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    step { part in
      if let bytes, part.size + data.count > bytes { throw try tooMuch(bytes) }
      try data.withUnsafeBytes { try part.append($0) }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end.withLock { end in
      if end != nil { return }
      end = error.map { .failure(connectionError($0.localizedDescription)) } ?? .success(())
      ended.signal()
    }
  }

  private func tooMuch(_ bytes: Int) throws -> FetchError {
    try changed("it sends more than \(bytes) bytes")
  }

  /// Drops the bytes of a file that cannot be the manifest's.
  private func changed(_ problem: String) throws -> FetchError {
    try part.truncate()
    return .changed(name: name, url: url, problem: problem)
  }

  private func connectionError(_ problem: String) -> FetchError {
    .connection(
      name: name, url: url, problem: problem.trimmingCharacters(in: ["."]),
      kept: part.size, of: bytes ?? total ?? 0)
  }
}

/// A serial queue that makes its callers wait while it is full: the network waits for the disk, so that
/// memory holds no more than the queue's pieces.
private final class BoundedQueue: OperationQueue, @unchecked Sendable {
  private let places = DispatchSemaphore(value: 64)

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    places.wait()
    super.addOperation {
      block()
      self.places.signal()
    }
  }
}
