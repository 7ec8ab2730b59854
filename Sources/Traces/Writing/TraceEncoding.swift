/// How requests become bytes of a format that is written.
protocol TraceEncoding: Sendable {
  /// The format's name, as ``TraceFormats`` has it.
  static var name: String { get }

  init()

  /// The most bytes that a request takes.
  var longest: Int { get }

  /// Writes requests and returns how many bytes they take; `target` has room for them.
  func encode(
    _ requests: RequestBlock, into target: UnsafeMutableRawBufferPointer
  ) -> Int
}

/// Consecutive requests of integer keys that are to be written.
struct RequestBlock {
  /// The number of the first request.
  var first: Int
  var keys: UnsafeMutableBufferPointer<UInt64>
  var size: UInt32
}

/// One decimal number per line.
struct PlainEncoding: TraceEncoding {
  static let name = "plain"
  let longest = 21

  func encode(_ requests: RequestBlock, into target: UnsafeMutableRawBufferPointer) -> Int {
    var at = 0
    for key in requests.keys {
      let count = key.decimalLength
      _ = key.writeDecimal(endingAt: at + count, of: target)
      target[at + count] = 0x0A
      at += count + 1
    }
    return at
  }
}

/// libCacheSim's records. The next access is −1: it isn't known when the request is made.
struct OracleGeneralEncoding: TraceEncoding {
  static let name = "oracleGeneral"
  let longest = OracleGeneralFormat.recordSize

  func encode(_ requests: RequestBlock, into target: UnsafeMutableRawBufferPointer) -> Int {
    var at = 0
    for (index, key) in requests.keys.enumerated() {
      let second = (requests.first + index) / TraceGenerators.requestsPerSecond
      let time = UInt32(truncatingIfNeeded: second)
      target.storeBytes(of: time.littleEndian, toByteOffset: at, as: UInt32.self)
      target.storeBytes(of: key.littleEndian, toByteOffset: at + 4, as: UInt64.self)
      target.storeBytes(of: requests.size.littleEndian, toByteOffset: at + 12, as: UInt32.self)
      target.storeBytes(of: Int64(-1).littleEndian, toByteOffset: at + 16, as: Int64.self)
      at += longest
    }
    return at
  }
}
