/// libCacheSim's records behind a header, as ``LCSFormat`` says: version 3, the newest that adds
/// no features.
struct LCSEncoding: TraceEncoding {
  static let name = "lcs"
  static let columns: TraceColumns = [.sizes, .times, .ttls, .operations, .classes]
  static let needsWhole = true
  private static let version: UInt64 = 3
  let longest = 36

  func refusal(of trace: Trace) -> String? {
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
    let statistics = Statistics(trace)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.put(LCSFormat.magic, at: 0)
      bytes.put(Self.version, at: 8)
      for (index, number) in statistics.numbers.enumerated() {
        bytes.put(number, at: 16 + 8 * index)
      }
      bytes.put(LCSFormat.magic, at: LCSFormat.headerSize - 8)
    }
    return bytes
  }

  func encode(_ requests: RequestBlock, into target: UnsafeMutableRawBufferPointer) -> Int {
    var at = 0
    for index in 0..<requests.count {
      let code = OperationCodes.libCacheSimCode(of: requests.operations[index])
      target.put(requests.second(index), at: at)
      target.put(requests.keys[index], at: at + 4)
      target.put(requests.sizes[index], at: at + 12)
      target.put(UInt32(code) | requests.classes[index] << 8, at: at + 20)
      // Rounded up, as 0 would be for ever.
      target.put(UInt32((requests.ttls[index] + 999_999_999) / 1_000_000_000), at: at + 24)
      target.put(requests.next[index], at: at + 28)
      at += longest
    }
    return at
  }

  /// The first twelve numbers of the header's statistics; what the trace lacks is 0.
  private struct Statistics {
    var numbers = [Int64](repeating: 0, count: 12)

    init(_ trace: Trace) {
      numbers[0] = 1
      numbers[1] = Int64(trace.requests)
      numbers[2] = Int64(trace.distinct)
      var smallest = UInt64.max
      var largest: UInt64 = 0
      var isKnown = [Bool](repeating: false, count: trace.distinct)
      for request in 0..<trace.requests {
        let size = trace.sizes?[request] ?? 1
        let id = Int(trace.ids[request])
        numbers[3] &+= Int64(truncatingIfNeeded: size)
        if !isKnown[id] { numbers[4] &+= Int64(truncatingIfNeeded: size) }
        isKnown[id] = true
        smallest = min(smallest, size)
        largest = max(largest, size)
      }
      numbers[5] = (trace.times?.first ?? 0) / 1_000_000_000
      numbers[6] = (trace.times?.last ?? 0) / 1_000_000_000
      for operation in trace.operations.map(Array.init) ?? [] {
        switch operation {
        case .get, .read: numbers[7] += 1
        case .delete: numbers[9] += 1
        default: numbers[8] += 1
        }
      }
      numbers[10] = Int64(truncatingIfNeeded: smallest)
      numbers[11] = Int64(truncatingIfNeeded: largest)
    }
  }
}
