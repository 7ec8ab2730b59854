import Parameters

/// The treatment of a disk request for a range of bytes.
///
/// It is cut into blocks, one request for each that it touches: a key is the text `VOLUME:NUMBER` of
/// the volume and the block's number (offset / block size), a size the block's. With `whole`, it
/// stays one request: a key is `VOLUME:OFFSET`, a size the request's length, so that requests for
/// overlapping ranges from other offsets are other objects. A length of 0 asks for no block; more than
/// ``TextLines/mostRequests`` blocks in one request are refused.
///
/// Others read the same traces in other ways: libCacheSim keeps requests whole unless told a block size;
/// Caffeine takes blocks of 512 bytes and drops writes (`block=512:writes=false`), and keeps MSR's
/// requests whole.
struct BlockRequests: Sendable {
  /// The parameters of all formats of block traces.
  static let parameters = [
    Parameter(
      "block", .bytes(in: 1...1 << 40), default: .integer(4096),
      help: "bytes of the blocks that requests are cut into"),
    Parameter(
      "whole", .flag, default: .flag(false),
      help: "keep a request whole, keyed by its offset, instead of cutting it into blocks"),
    Parameter(
      "writes", .flag, default: .flag(true), help: "whether writes are requests too"),
  ]

  /// Bytes of a block; nil keeps requests whole.
  let blockBytes: UInt64?
  /// True when writes are requests.
  let hasWrites: Bool

  init(_ arguments: Arguments) {
    blockBytes = arguments.flag("whole") ? nil : UInt64(arguments.integer("block"))
    hasWrites = arguments.flag("writes")
  }
}

/// Cuts requests into blocks, one after the other.
struct BlockExpansion: ~Copyable {
  private let requests: BlockRequests
  private var key = KeyText()
  private var volumeBytes = 0

  /// Time and operation of the current request; the size follows from the blocks.
  var details: RequestDetails

  init(
    _ requests: BlockRequests, _ provided: TraceColumns = [.sizes, .times, .operations],
    wanted: TraceColumns
  ) {
    self.requests = requests
    details = RequestDetails(provided, wanted: wanted)
  }

  /// Begins a request, of no volume yet.
  @inline(__always)
  mutating func begin() { volumeBytes = 0 }

  /// Appends a part of the volume's name.
  @inline(__always)
  mutating func append(volume part: UnsafeRawBufferPointer) {
    key.clear(to: volumeBytes)
    if volumeBytes > 0 { key.append(byte: UInt8(ascii: ".")) }
    key.append(part)
    volumeBytes = key.bytes.count
  }

  /// Appends the requests for a range, `count` times; false when there are too many, or the range
  /// or the size is absurd.
  @inline(__always)
  mutating func append(
    offset: UInt64, length: UInt64, count: UInt64, to builder: inout TraceBuilder
  ) throws(TraceError) -> Bool {
    if details.operation == .write, !requests.hasWrites { return true }
    let (end, isOver) = offset.addingReportingOverflow(length)
    if isOver || count > TextLines.mostRequests { return false }
    key.clear(to: volumeBytes)
    key.append(byte: UInt8(ascii: ":"))
    guard let blockBytes = requests.blockBytes else {
      if length > .largestObject { return false }
      key.append(decimal: offset)
      details.size = length
      try builder.append(text: key.bytes, details, count: count)
      return true
    }
    if length == 0 { return true }
    let first = offset / blockBytes
    let blocks = (end - 1) / blockBytes - first + 1
    if blocks > TextLines.mostRequests / max(1, count) { return false }
    details.size = blockBytes
    let prefix = volumeBytes + 1
    for _ in 0..<count {
      for block in first..<first + blocks {
        key.clear(to: prefix)
        key.append(decimal: block)
        try builder.append(text: key.bytes, details)
        if builder.isFull { return true }
      }
    }
    return true
  }
}
