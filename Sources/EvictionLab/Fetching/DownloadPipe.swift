import Foundation
import Traces

/// The target of a download.
protocol DownloadTarget: AnyObject, Sendable {
  /// The bytes that are there.
  var size: Int { get }
  /// Takes the next bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws
  /// Begins again.
  func truncate() throws
}

extension PartialFile: DownloadTarget {}

/// Bytes on their way from a server to a reader: the network waits for the reader, so that memory holds no more
/// than a few pieces.
final class DownloadPipe: DownloadTarget, ByteSource, @unchecked Sendable {
  private let url: String
  /// Guards what follows.
  private let condition = NSCondition()
  private var pieces: [Data] = []
  private var waiting = 0
  private var received = 0
  private var delivered = 0
  private var isOver = false
  private var failure: (any Error)?

  /// The most bytes that wait.
  private static let most = 8 << 20

  init(url: String) { self.url = url }

  private func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
    condition.lock()
    defer { condition.unlock() }
    return try body()
  }

  var size: Int { locked { received } }
  var consumedBytes: Int { locked { delivered } }
  var totalBytes: Int? { nil }

  /// The error that ended the download; nil for none.
  var error: (any Error)? { locked { failure } }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    try locked {
      while waiting > DownloadPipe.most && !isOver { condition.wait() }
      if isOver { throw CancellationError() }
      pieces.append(Data(bytes))
      waiting += bytes.count
      received += bytes.count
      condition.broadcast()
    }
  }

  /// Refuses: what the reader has is gone.
  func truncate() throws {
    if size > 0 { throw FetchError.noRanges(url: url) }
  }

  /// Ends the pipe: nothing comes any more, or is read.
  func end(_ failure: (any Error)? = nil) {
    locked {
      isOver = true
      self.failure = self.failure ?? failure
      condition.broadcast()
    }
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    condition.lock()
    defer { condition.unlock() }
    while pieces.isEmpty && !isOver { condition.wait() }
    guard let piece = pieces.first else {
      if failure == nil { return 0 }
      throw .io(file: url, action: "read", byte: delivered, code: EIO)
    }
    let count = min(target.count, piece.count)
    piece.withUnsafeBytes {
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
    if count == piece.count {
      pieces.removeFirst()
    } else {
      pieces[0] = piece.suffix(from: piece.startIndex + count)
    }
    waiting -= count
    delivered += count
    condition.broadcast()
    return count
  }
}
