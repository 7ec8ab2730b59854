/// An encoding of requests as a format's bytes.
protocol TraceEncoding: Sendable {
  /// The format's name, as ``TraceFormats`` has it.
  static var name: String { get }

  /// True when the whole trace must be known before its first byte is.
  static var needsWhole: Bool { get }

  /// The columns that are written.
  static var columns: TraceColumns { get }

  init()

  /// The most bytes that a request takes, unless its key is written as a text.
  var longest: Int { get }

  /// Returns the reason why a trace cannot be written so; nil when it can.
  func refusal(of trace: Trace) -> String?

  /// The bytes before the first request.
  func header(of trace: Trace) -> [UInt8]

  /// Writes requests and returns how many bytes they take; `target` has room for them.
  func encode(_ requests: RequestBlock, into target: UnsafeMutableRawBufferPointer) -> Int
}

extension TraceEncoding {
  static var needsWhole: Bool { false }

  func header(of trace: Trace) -> [UInt8] { [] }
}

/// One key per line: a decimal number, or a text as it stood in the source.
struct PlainEncoding: TraceEncoding {
  static let name = "plain"
  static let columns: TraceColumns = [.keyTexts, .keyLengths]
  let longest = 21

  func refusal(of trace: Trace) -> String? {
    trace.refusalOfKeys(unless: PlainFormat.isKey, "would not be read as one line")
  }

  func encode(_ requests: RequestBlock, into target: UnsafeMutableRawBufferPointer) -> Int {
    var at = 0
    if let texts = requests.texts {
      for index in 0..<requests.count {
        texts.withBytes(of: Int(requests.ids[index])) { text in
          UnsafeMutableRawBufferPointer(rebasing: target[at...]).copyMemory(from: text)
          at += text.count
        }
        target[at] = 0x0A
        at += 1
      }
      return at
    }
    for index in 0..<requests.count {
      let key = requests.keys[index]
      let count = key.decimalLength
      _ = key.writeDecimal(endingAt: at + count, of: target)
      target[at + count] = 0x0A
      at += count + 1
    }
    return at
  }
}

/// The ARC authors' lines, as ``LisFormat`` says, one for each request; the fourth number is 0.
struct LisEncoding: TraceEncoding {
  static let name = "lis"
  static let columns: TraceColumns = .keyTexts
  let longest = 27

  func refusal(of trace: Trace) -> String? {
    trace.refusalOfKeys(unless: { $0.canonicalNumber != nil }, "is no number")
  }

  func encode(_ requests: RequestBlock, into target: UnsafeMutableRawBufferPointer) -> Int {
    var at = 0
    for index in 0..<requests.count {
      let key = requests.keys[index]
      at += key.decimalLength
      _ = key.writeDecimal(endingAt: at, of: target)
      for byte in " 1 0 0\n".utf8 {
        target[at] = byte
        at += 1
      }
    }
    return at
  }
}

/// libCacheSim's records, as ``OracleGeneralFormat`` says. The next access is −1 when the
/// requests are generated: it isn't known when one is made.
struct OracleGeneralEncoding: TraceEncoding {
  static let name = "oracleGeneral"
  static let columns: TraceColumns = [.sizes, .times]
  let longest = OracleGeneralFormat.layout.size

  func refusal(of trace: Trace) -> String? {
    if let refusal = trace.refusalOfUnknownSizes() { return refusal }
    return trace.sizes?.contains { $0 > UInt32.max } == true
      ? "sizes of 4 GiB and more don't fit into 32 bits" : trace.refusalOfTimes()
  }

  func encode(_ requests: RequestBlock, into target: UnsafeMutableRawBufferPointer) -> Int {
    var at = 0
    for index in 0..<requests.count {
      target.put(requests.second(index), at: at)
      target.put(requests.keys[index], at: at + 4)
      target.put(UInt32(truncatingIfNeeded: requests.sizes[index]), at: at + 12)
      target.put(requests.next[index], at: at + 16)
      at += longest
    }
    return at
  }
}

extension RequestBlock {
  /// The time in seconds, cut off.
  @inline(__always)
  func second(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: times[index] / 1_000_000_000) }
}

extension Trace {
  /// Returns the reason why keys can't be written so that they are read as the same keys; nil when they are
  /// numbers, or their texts pass a test.
  func refusalOfKeys(
    unless isWritable: (UnsafeRawBufferPointer) -> Bool, _ problem: String
  ) -> String? {
    if integerKeys != nil { return nil }
    guard let keyTexts else { return "the keys are texts, of which hashes alone are kept" }
    for id in 0..<distinct {
      let refused = keyTexts.withBytes(of: id) { isWritable($0) ? nil : $0.excerpt }
      if let refused { return "the key '\(refused)' \(problem)" }
    }
    return nil
  }

  /// Returns the reason why sizes that no request has told can't be written; nil when all are told.
  func refusalOfUnknownSizes() -> String? {
    sizes?.contains(Trace.unknownSize) == true
      ? "some requests come before the first that tells their object's size" : nil
  }

  /// Returns the reason why times can't be whole seconds in 32 bits; nil when they can.
  func refusalOfTimes() -> String? {
    let most = Int64(UInt32.max) * 1_000_000_000 + 999_999_999
    return times?.contains { $0 < 0 || $0 > most } == true
      ? "times before 0 or after 2106 don't fit into 32 bits of seconds" : nil
  }
}
