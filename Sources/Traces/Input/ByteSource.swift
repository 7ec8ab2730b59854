/// A source of bytes: a file, memory, or an unpacker over another source.
package protocol ByteSource: AnyObject {
  /// Reads at most `target.count` bytes and returns how many; 0 is the end.
  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int

  /// Bytes of the stored file read so far.
  var consumedBytes: Int { get }

  /// The stored file's size, where it is known.
  var totalBytes: Int? { get }

  /// True when the bytes are unpacked, so that their places are not the stored file's.
  var isUnpacked: Bool { get }

  /// Passes over bytes without reading them; false, and nothing is done, where they must be read.
  func skip(_ count: Int) -> Bool
}

extension ByteSource {
  package var isUnpacked: Bool { false }
  package func skip(_ count: Int) -> Bool { false }
}

/// Bytes in memory that are read as if they were a file.
package final class MemorySource: ByteSource {
  private let bytes: [UInt8]
  package private(set) var consumedBytes = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var totalBytes: Int? { bytes.count }

  package func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(target.count, bytes.count - consumedBytes)
    bytes.withUnsafeBytes { bytes in
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[consumedBytes..<consumedBytes + count]))
    }
    consumedBytes += count
    return count
  }
}
