/// The operations that the numbers of a binary trace stand for; nil where a number has no meaning.
struct OperationCodes: Sendable, Equatable {
  private let operations: [TraceOperation?]

  /// The operation of a number.
  @inline(__always)
  subscript(code: UInt64) -> TraceOperation? { code < 256 ? operations[Int(code)] : nil }

  /// libCacheSim's numbers (`enum.h`): 1 get, 2 gets, 3 set … 14 update; 0 (none) and 255
  /// (unknown), which its converters write for sources without operations, are gets.
  static let libCacheSim: OperationCodes = {
    let known: [TraceOperation] = [
      .get, .get, .get, .set, .add, .compareAndSet, .replace, .append, .prepend, .delete,
      .increment, .decrement, .read, .write, .set,
    ]
    var operations: [TraceOperation?] = known + Array(repeating: nil, count: 256 - known.count)
    operations[255] = .get
    return OperationCodes(operations: operations)
  }()

  /// SCSI's commands, those that ``TraceOperation/init(word:)`` knows in hexadecimal.
  static let scsi = OperationCodes(
    operations: (0..<256).map { code in
      TraceOperation(word: String(code >> 4, radix: 16) + String(code & 15, radix: 16))
    })

  /// Letters: `r`, `w` and the like.
  static let letters = OperationCodes(
    operations: (0..<256).map { TraceOperation(word: String(UnicodeScalar(UInt8($0)))) })

  /// libCacheSim's number of an operation.
  static func libCacheSimCode(of operation: TraceOperation) -> UInt8 {
    switch operation {
    case .get: 1
    case .set: 3
    case .add: 4
    case .compareAndSet: 5
    case .replace: 6
    case .append: 7
    case .prepend: 8
    case .delete: 9
    case .increment: 10
    case .decrement: 11
    case .read: 12
    case .write: 13
    }
  }
}
