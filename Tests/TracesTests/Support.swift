import CLZMA
import CZlib
import CZstd
import Foundation
import Testing
import Traces

/// Reads a text as if it were a file.
func load(
  _ text: String, name: String = "keys.txt", format: String? = nil, columns: TraceColumns = [],
  limit: Int? = nil
) throws(TraceError) -> Trace {
  try TraceLoader.load(
    bytes: Array(text.utf8), name: name, format: format, columns: columns, limit: limit)
}

/// The message that reading ends with.
func message(
  _ text: String, name: String = "keys.txt", format: String? = nil, columns: TraceColumns = []
) -> String {
  message(Array(text.utf8), name: name, format: format, columns: columns)
}

/// The message that reading ends with.
func message(
  _ bytes: [UInt8], name: String, format: String? = nil, columns: TraceColumns = []
) -> String {
  do throws(TraceError) {
    let trace = try TraceLoader.load(bytes: bytes, name: name, format: format, columns: columns)
    return "\(trace.requests) requests"
  } catch {
    return error.description
  }
}

/// The names of all formats, as messages list them.
let formatNames = TraceFormats.all.map { $0.information.name }.joined(separator: ", ")

/// The error that a piece of work ends with, if it does.
func failure(_ work: () throws(TraceError) -> Void) -> TraceError? {
  do throws(TraceError) {
    try work()
    return nil
  } catch {
    return error
  }
}

/// The ids of a trace as an array.
func ids(_ trace: Trace) -> [UInt32] { Array(trace.ids) }

/// Numbers as little-endian bytes, each as wide as its type.
func bytes(_ numbers: any FixedWidthInteger...) -> [UInt8] {
  func encoded(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
  return numbers.flatMap { encoded($0) }
}

/// One record of oracleGeneral.
func record(time: UInt32 = 0, key: UInt64, size: UInt32 = 1, next: Int64 = -1) -> [UInt8] {
  bytes(time, key, size, next)
}

extension Compression {
  /// The bytes, packed.
  func pack(_ bytes: [UInt8]) -> [UInt8] {
    var packed = [UInt8](repeating: 0, count: bytes.count + 4096)
    switch self {
    case .gzip:
      var stream = z_stream()
      precondition(
        deflateInit2_(
          &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
          Int32(MemoryLayout<z_stream>.size)) == Z_OK)
      var input = bytes
      let count = packed.count
      input.withUnsafeMutableBufferPointer { input in
        packed.withUnsafeMutableBufferPointer { output in
          stream.next_in = input.baseAddress
          stream.avail_in = UInt32(input.count)
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(count)
          precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END)
        }
      }
      packed.removeLast(Int(stream.avail_out))
      deflateEnd(&stream)
    case .zstd:
      packed.removeLast(
        packed.count - ZSTD_compress(&packed, packed.count, bytes, bytes.count, 3))
    case .xz:
      var count = 0
      precondition(
        lzma_easy_buffer_encode(
          6, LZMA_CHECK_CRC64, nil, bytes, bytes.count, &packed, &count, packed.count)
          == LZMA_OK)
      packed.removeLast(packed.count - count)
    }
    return packed
  }
}

/// A folder that is gone when its owner is.
final class TemporaryFolder {
  let path: String

  init() {
    var name = Array((NSTemporaryDirectory() + "/traces.XXXXXX").utf8CString)
    precondition(mkdtemp(&name) != nil)
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The path of a new file.
  func file(_ name: String, _ bytes: [UInt8] = []) -> String {
    let file = path + "/" + name
    precondition(FileManager.default.createFile(atPath: file, contents: Data(bytes)))
    return file
  }
}

/// A generator for tests whose seed is printed with a failure.
struct SeededNumbers: RandomNumberGenerator {
  private var source: RandomSource

  init(_ seed: UInt64) { source = RandomSource(seed: seed) }

  mutating func next() -> UInt64 { source.next() }
}
