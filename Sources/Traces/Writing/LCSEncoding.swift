/// libCacheSim's records behind a header, as ``LCSFormat`` says: version 3, the newest that adds
/// no features.
struct LCSEncoding: TraceEncoding {
  static let name = "lcs"
  static let columns: TraceColumns = [.sizes, .times, .ttls, .operations, .classes]
  static let needsWhole = true
  private static let version: UInt64 = 3
  let longest = 36

  func refusal(of trace: Trace) -> String? {
    if let refusal = trace.refusalOfUnknownSizes() { return refusal }
    if trace.operations?.contains(.touch) == true {
      return "it has no number for an operation that only changes a time to live (touch)"
    }
    if trace.sizes?.contains(where: { $0 > Int64.max }) == true {
      return "sizes don't fit into 63 bits"
    }
    if trace.ttls?.contains(where: { $0 > Self.longestTTL }) == true {
      return "times to live don't fit into 32 bits of seconds"
    }
    if trace.classNames.count > 1 << 24 { return "classes don't fit into 24 bits" }
    return trace.refusalOfTimes()
  }

  private static let longestTTL = Int64(UInt32.max - 1) * 1_000_000_000

  func header(of trace: Trace) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: LCSFormat.headerSize)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.put(LCSFormat.magic, at: 0)
      bytes.put(Self.version, at: 8)
      for (index, number) in Self.statistics(of: trace).enumerated() {
        bytes.put(number, at: 16 + 8 * index)
      }
      bytes.put(LCSFormat.magic, at: LCSFormat.headerSize - 8)
    }
    return bytes
  }

  func encode(_ requests: RequestBlock, into target: UnsafeMutableRawBufferPointer) -> Int {
    let codes = OperationCodes.libCacheSimCodes
    var at = 0
    for index in 0..<requests.count {
      let code = codes[Int(requests.operations[index].rawValue)]
      target.put(requests.second(index), at: at)
      target.put(requests.keys[index], at: at + 4)
      target.put(requests.sizes[index], at: at + 12)
      target.put(code | requests.classes[index] << 8, at: at + 20)
      // Rounded up, as 0 would be for ever.
      target.put(UInt32((requests.ttls[index] + 999_999_999) / 1_000_000_000), at: at + 24)
      target.put(requests.next[index], at: at + 28)
      at += longest
    }
    return at
  }

  /// The first twelve numbers of the header's statistics; what the trace lacks is 0.
  private static func statistics(of trace: Trace) -> [Int64] {
    var (reads, writes, deletes): (Int64, Int64, Int64) = (0, 0, 0)
    for operation in trace.operations ?? Column([]) {
      switch operation {
      case .get, .read: reads += 1
      case .delete: deletes += 1
      default: writes += 1
      }
    }
    let bytes = trace.sizes?.withUnsafeBufferPointer { $0.total() } ?? UInt64(trace.requests)
    return [
      1, Int64(trace.requests), Int64(trace.distinct), Int64(clamping: bytes),
      Int64(trace.distinctBytes ?? trace.distinct),
      (trace.times?.first ?? 0) / .second, (trace.times?.last ?? 0) / .second,
      reads, writes, deletes,
      Int64(trace.sizes?.min() ?? 1), Int64(trace.sizes?.max() ?? 1),
    ]
  }
}
