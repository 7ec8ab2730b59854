/// The operations that the numbers of a binary trace stand for; nil where a number has no meaning.
struct OperationCodes: Sendable, Equatable {
  private let operations: [TraceOperation?]

  /// The operation of a number.
  @inline(__always)
  subscript(code: UInt64) -> TraceOperation? { code < 256 ? operations[Int(code)] : nil }

  /// The operations of libCacheSim's numbers from 1 on (`enum.h`): get, gets, set … update.
  private static let named: [TraceOperation] = [
    .get, .get, .set, .add, .compareAndSet, .replace, .append, .prepend, .delete, .increment,
    .decrement, .read, .write, .set,
  ]

  /// libCacheSim's numbers; 0 (none) and 255 (unknown), which its converters write for sources
  /// without operations, are gets.
  static let libCacheSim = OperationCodes(
    operations: [.get] + named + Array(repeating: nil, count: 254 - named.count) + [.get])

  /// By operation, libCacheSim's number.
  static let libCacheSimCodes = TraceOperation.allCases.map { operation in
    UInt32(named.firstIndex(of: operation).map { $0 + 1 } ?? 0)
  }

  /// SCSI's commands, those that ``TraceOperation/init(word:)`` knows in hexadecimal.
  static let scsi = OperationCodes(
    operations: (0..<256).map { code in
      TraceOperation(word: String(code >> 4, radix: 16) + String(code & 15, radix: 16))
    })

  /// Letters: `r`, `w` and the like.
  static let letters = OperationCodes(
    operations: (0..<256).map { TraceOperation(word: String(UnicodeScalar(UInt8($0)))) })
}
