/// The most that a file may hold for its size: packed, a few bytes are any number of others, and a line of
/// a few bytes stands for any number of requests.
public struct ExpansionLimit: Sendable {
  /// The usual bytes, and requests, for each byte of a stored file: real traces that repeat themselves
  /// most are packed to a hundredth or two.
  public static let usualRatio = 1000

  /// Bytes, and requests, for each byte of the stored file.
  private let ratio: Int
  /// Unpacked bytes that any file may have.
  private let freeBytes: Int
  /// Requests that any file may have.
  private let freeRequests: Int

  package init(
    ratio: Int = usualRatio, freeBytes: Int = 1 << 30, freeRequests: Int = 1 << 24
  ) {
    precondition(ratio > 0, "a file holds something")
    self.ratio = ratio
    self.freeBytes = freeBytes
    self.freeRequests = freeRequests
  }

  /// Refuses more unpacked bytes than the stored ones vouch for.
  func check(unpackedBytes count: Int, of source: any ByteSource, file: String) throws(TraceError) {
    if count <= freeBytes || isVouched(count, by: source) { return }
    throw refusal(file, .unpackedByte(count), "it unpacks to more than \(ratio) bytes")
  }

  /// Refuses more requests than the stored bytes vouch for.
  func check(requests count: Int, of source: any ByteSource, file: String) throws(TraceError) {
    if count <= freeRequests || isVouched(count, by: source) { return }
    throw refusal(file, .byte(source.consumedBytes), "it holds more than \(ratio) requests")
  }

  /// By the whole file where its size is known, by what was read of it elsewhere.
  private func isVouched(_ count: Int, by source: any ByteSource) -> Bool {
    (count - 1) / ratio < source.totalBytes ?? source.consumedBytes
  }

  private func refusal(
    _ file: String, _ place: TraceError.Place, _ problem: String
  ) -> TraceError {
    .malformed(
      file: file, place: place, problem: "\(problem) for each byte stored",
      remedy: "give a larger --expansion if you trust it, or a --limit")
  }
}

/// The bytes that an unpacker makes of a file, as far as the file's size vouches for it.
final class VouchedSource: ByteSource {
  private let source: any ByteSource
  private let limit: ExpansionLimit
  private let file: String
  private var unpackedBytes = 0

  init(_ source: any ByteSource, limit: ExpansionLimit, file: String) {
    self.source = source
    self.limit = limit
    self.file = file
  }

  var isUnpacked: Bool { true }
  var totalBytes: Int? { source.totalBytes }
  var consumedBytes: Int { source.consumedBytes }

  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    let count = try source.read(into: target)
    unpackedBytes += count
    try limit.check(unpackedBytes: unpackedBytes, of: self, file: file)
    return count
  }
}
