import Parameters

/// The memory addresses of a program, as text; two notations, told line by line.
///
///     l 0x1fffff50 1          I  0400d7d4,8
///     s 0x1fffff58 4           S 1ffeffe7d0,8
///
/// The first is that of UCSD's CSE 240A: load or store, address, instructions since the last one.
/// The second is what `valgrind --tool=lackey --trace-mem=yes` prints: an instruction (`I`), a
/// load (`L`), a store (`S`), or a load and a store (`M`, two requests), then the address in
/// hexadecimal and the bytes. Caffeine's traces with penalties add two numbers to the first notation, the times of
/// a hit and of a miss (`s 0x1fffff50 1 200 1200`): a request's cost is the second. Valgrind's own lines (`==15482== …`) and blank lines are skipped.
///
/// Each address is a key, however many bytes are referred to. With `line`, the bytes of a cache
/// line, the line's number is the key, and a reference that spans lines requests each of them.
/// https://valgrind.org/docs/manual/lk-manual.html
struct AddressFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "address",
    summary: "memory addresses: lines 'l 0x1fffff50 1', with penalties too, or valgrind lackey's",
    parameters: [
      Parameter(
        "line", .bytes(in: 1...(1 << 30)), default: nil,
        help: "bytes of a cache line, a power of two; without it each address is a key"),
      Parameter(
        "references", .choice(["all", "data", "instructions"]), default: .text("all"),
        help: "which references of lackey's are requests"),
    ])

  let keys = KeyKind.integer
  private let lineBits: UInt64?
  private let hasData: Bool
  private let hasInstructions: Bool

  init(_ arguments: Arguments) throws(TraceError) {
    if case .integer(let line) = arguments.value("line") {
      guard line.nonzeroBitCount == 1 else {
        throw .usage(
          problem: "address: a cache line of \(line) bytes",
          remedy: "give a power of two, for instance line=64")
      }
      lineBits = UInt64(line.trailingZeroBitCount)
    } else {
      lineBits = nil
    }
    hasData = arguments.text("references") != "instructions"
    hasInstructions = arguments.text("references") != "data"
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    return sample.recognised(as: .likely) { line in
      switch Line(line) {
      case .reference: true
      case .remark: nil
      case nil: false
      }
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    var hasCosts: Bool?
    while !builder.isFull, try lines.next() {
      switch Line(lines.text) {
      case .reference(let reference):
        if hasCosts != (reference.cost != nil) {
          if hasCosts != nil { throw lines.malformed("penalties in some lines only") }
          hasCosts = reference.cost != nil
        }
        try append(reference, to: &builder)
      case .remark: continue
      case nil:
        throw lines.malformed(
          "'\(lines.text.excerpt)' is no reference to memory",
          "write l|s 0xADDRESS COUNT, or I|L|S|M ADDRESS,BYTES; or name another format")
      }
    }
  }

  @inline(__always)
  private func append(
    _ reference: Reference, to builder: inout TraceBuilder
  ) throws(TraceError) {
    guard reference.isInstruction ? hasInstructions : hasData else { return }
    var first = reference.address
    var count: UInt64 = 1
    if let lineBits {
      let last = reference.address.addingReportingOverflow(reference.bytes - 1)
      first >>= lineBits
      count = ((last.overflow ? .max : last.partialValue) >> lineBits) - first + 1
    }
    let before = builder.requests
    if reference.isRead { try append(first, count, .read, to: &builder) }
    if reference.isWrite { try append(first, count, .write, to: &builder) }
    guard let cost = reference.cost, builder.wanted.contains(.costs) else { return }
    for _ in before..<builder.requests { builder.append(cost: cost) }
  }

  @inline(__always)
  private func append(
    _ first: UInt64, _ count: UInt64, _ operation: TraceOperation, to builder: inout TraceBuilder
  ) throws(TraceError) {
    let before = builder.requests
    try builder.append(keysFrom: first, count: count)
    guard builder.wanted.contains(.operations) else { return }
    for _ in before..<builder.requests { builder.append(operation: operation) }
  }

  /// One reference to memory.
  struct Reference: Equatable {
    var address: UInt64
    var bytes: UInt64
    var isInstruction = false
    var isRead = false
    var isWrite = false
    /// The penalty of a miss, where the line has one.
    var cost: Double?
  }

  /// The meaning of a line.
  enum Line: Equatable {
    case reference(Reference)
    case remark

    /// More bytes than any instruction refers to; a larger count is damage.
    static let mostBytes: UInt64 = 1 << 16

    /// Nil when the line is neither a reference nor a remark.
    @inline(__always)
    init?(_ line: UnsafeRawBufferPointer) {
      let line = line.trimmed
      guard let kind = line.first else {
        self = .remark
        return
      }
      if line.count > 1, kind == line[1], kind == UInt8(ascii: "=") || kind == UInt8(ascii: "-") {
        self = .remark
        return
      }
      guard line.count > 2, UnsafeRawBufferPointer.isSpace(line[1]) else { return nil }
      let rest = UnsafeRawBufferPointer(rebasing: line[1...]).trimmed
      var reference = Reference(address: 0, bytes: 1)
      let isPrefixed = rest.count > 2 && rest[0] == UInt8(ascii: "0") && rest[1] | 0x20 == 0x78
      switch kind {
      case UInt8(ascii: "l"), UInt8(ascii: "L"), UInt8(ascii: "I"): reference.isRead = true
      case UInt8(ascii: "s"), UInt8(ascii: "S"): reference.isWrite = true
      case UInt8(ascii: "M"): (reference.isRead, reference.isWrite) = (true, true)
      default: return nil
      }
      reference.isInstruction = kind == UInt8(ascii: "I")
      let isLackey = kind < UInt8(ascii: "a")
      guard isLackey != isPrefixed else { return nil }
      var at = isPrefixed ? 2 : 0
      guard let address = Self.hexadecimal(rest, &at), at < rest.count else { return nil }
      reference.address = address
      let separator = rest[at]
      let tail = UnsafeRawBufferPointer(rebasing: rest[(at + 1)...]).trimmed
      var number = tail.wholeNumber
      if number == nil, isPrefixed { (number, reference.cost) = Self.withPenalties(tail) }
      guard let number,
        isLackey ? separator == UInt8(ascii: ",") : UnsafeRawBufferPointer.isSpace(separator)
      else { return nil }
      if isLackey {
        guard (1...Self.mostBytes).contains(number) else { return nil }
        reference.bytes = number
      }
      self = .reference(reference)
    }

    /// The count and the penalty of a miss of `1 200 1200`.
    @inline(never)
    private static func withPenalties(_ text: UnsafeRawBufferPointer) -> (UInt64?, Double?) {
      let words = text.split(whereSeparator: UnsafeRawBufferPointer.isSpace)
      guard words.count == 3 else { return (nil, nil) }
      let numbers = words.map { Double(String(decoding: $0, as: UTF8.self)) }
      guard numbers.allSatisfy({ $0.map { $0.isFinite && $0 >= 0 } ?? false }) else {
        return (nil, nil)
      }
      return (UnsafeRawBufferPointer(rebasing: words[0]).wholeNumber, numbers[2])
    }

    @inline(__always)
    private static func hexadecimal(_ text: UnsafeRawBufferPointer, _ at: inout Int) -> UInt64? {
      let first = at
      var value: UInt64 = 0
      while at < text.count, let digit = UnsafeRawBufferPointer.hexDigit(text[at]) {
        guard value >> 60 == 0 else { return nil }
        value = value << 4 | UInt64(digit)
        at += 1
      }
      return at > first ? value : nil
    }
  }
}
