import Parameters

/// The first 256 bytes of an ``EvtFormat`` file.
struct EvtHeader: Equatable {
  static let size = 256
  /// A byte that no text has, the name, and line ends that a careless transfer would change.
  static let magic: [UInt8] = [0x89, 0x45, 0x56, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt32 = 1
  /// The number of which each section's place is a multiple.
  static let alignment = 64

  /// More requests than any file holds.
  static let mostRequests = 1 << 40
  /// The most bytes of a section whose length the header alone knows.
  private static let mostBytes = mostRequests * 8
  static let slots = 40
  private static let cutOff = 216
  private static let droppedEvents = 224
  static let checksum = 248

  /// A section's bytes, without the zeros that follow, and their checksum with these.
  struct Slot: Equatable {
    var bytes = 0
    var checksum: UInt64 = 0

    /// The bytes with the zeros that follow.
    var extent: Int { bytes.rounded(upTo: EvtHeader.alignment) }
  }

  var keys: KeyKind
  var requests: Int
  var distinct: Int
  /// By section; no bytes where the file lacks it.
  var sections = [Slot](repeating: Slot(), count: EvtSection.allCases.count)

  /// The parts that a recording lacks.
  var loss = RecordingLoss()

  /// Bytes of the whole file.
  var fileBytes: Int { sections.reduce(Self.size) { $0 + $1.extent } }

  /// The 256 bytes.
  func encoded() -> [UInt8] {
    var bytes = Self.magic + [UInt8](repeating: 0, count: Self.size - Self.magic.count)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.put(Self.version, at: 8)
      bytes.put(UInt32(keys == .integer ? 0 : 1), at: 12)
      bytes.put(UInt64(requests), at: 16)
      bytes.put(UInt64(distinct), at: 24)
      bytes.put(UInt64(fileBytes), at: 32)
      for (index, slot) in sections.enumerated() {
        bytes.put(UInt64(slot.bytes), at: Self.slots + 16 * index)
        bytes.put(slot.checksum, at: Self.slots + 16 * index + 8)
      }
      bytes.put(UInt64(loss.isCutOff ? 1 : 0), at: Self.cutOff)
      bytes.put(UInt64(loss.droppedEvents), at: Self.droppedEvents)
      bytes.put(XXHash64.checksum(of: UnsafeRawBufferPointer(bytes)), at: Self.checksum)
    }
    return bytes
  }

  /// A problem of a header, and its byte.
  struct Problem: Error {
    var byte: Int
    var text: String
  }

  /// Reads 256 bytes. A header that passes promises nothing that overflows or contradicts itself.
  init(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    precondition(bytes.count == Self.size)
    guard bytes.starts(with: Self.magic) else {
      throw Problem(byte: 0, text: "the file does not begin as evt files do")
    }
    let version = UInt32(truncatingIfNeeded: bytes.uint64(at: 8))
    guard version == Self.version else {
      throw Problem(byte: 8, text: "evt version \(version); only \(Self.version) is known")
    }
    var copy = [UInt8](bytes)
    copy.replaceSubrange(Self.checksum..<Self.size, with: repeatElement(0, count: 8))
    guard copy.withUnsafeBytes(XXHash64.checksum) == bytes.uint64(at: Self.checksum) else {
      throw Problem(byte: Self.checksum, text: "the header does not match its checksum")
    }
    func count(at byte: Int, _ range: ClosedRange<Int>, _ name: String) throws(Problem) -> Int {
      let number = bytes.uint64(at: byte)
      guard let count = Int(exactly: number), range.contains(count) else {
        throw Problem(byte: byte, text: "the header promises \(number) \(name)")
      }
      return count
    }
    switch bytes.uint64(at: 8) >> 32 {
    case 0: keys = .integer
    case 1: keys = .text
    case let kind: throw Problem(byte: 12, text: "keys of kind \(kind); 0 and 1 are known")
    }
    requests = try count(at: 16, 1...Self.mostRequests, "requests")
    distinct = try count(at: 24, 1...min(requests, Int(UInt32.max)), "distinct keys")
    for section in EvtSection.allCases {
      let place = Self.slots + 16 * section.rawValue
      let bytesOfIt = try count(at: place, 0...Int.max, "bytes of \(section.name)")
      let expected = section.bytes(requests: requests, distinct: distinct, keys: keys)
      let isAbsent = bytesOfIt == 0 && section.column != nil
      guard isAbsent || expected.map({ $0 == bytesOfIt }) ?? (bytesOfIt <= Self.mostBytes)
      else {
        throw Problem(
          byte: place, text: "the header promises \(bytesOfIt) bytes of \(section.name)")
      }
      sections[section.rawValue] = Slot(bytes: bytesOfIt, checksum: bytes.uint64(at: place + 8))
    }
    loss.isCutOff = try count(at: Self.cutOff, 0...1, "stops of the recording") == 1
    loss.droppedEvents = try count(at: Self.droppedEvents, 0...Int.max, "dropped events")
    guard bytes.uint64(at: 32) == UInt64(fileBytes) else {
      throw Problem(
        byte: 32, text: "the header promises \(bytes.uint64(at: 32)) bytes and lists \(fileBytes)")
    }
  }

  init(keys: KeyKind, requests: Int, distinct: Int) {
    self.keys = keys
    self.requests = requests
    self.distinct = distinct
  }

  subscript(section: EvtSection) -> Slot {
    get { sections[section.rawValue] }
    set { sections[section.rawValue] = newValue }
  }

  /// The first byte of a section.
  func place(of section: EvtSection) -> Int {
    sections.prefix(section.rawValue).reduce(Self.size) { $0 + $1.extent }
  }
}

extension EvtHeader {
  /// Reads the header that a file begins with.
  init(from input: TraceInput) throws(TraceError) {
    guard let block = try input.nextRecords(of: Self.size) else {
      throw .noRequests(file: input.file)
    }
    input.returnLast(block.count - Self.size)
    do throws(Problem) {
      try self.init(UnsafeRawBufferPointer(rebasing: block[..<Self.size]))
    } catch {
      throw Self.damage(input, error.byte, error.text)
    }
  }

  /// The error that the file ends before its last column does.
  func cutOff(_ input: TraceInput, atByte byte: Int) -> TraceError {
    .truncated(
      file: input.file, place: input.place(ofByte: byte),
      problem: "the header promises \(fileBytes) bytes")
  }

  /// The error that the file is longer than its columns.
  func goesOn(_ input: TraceInput) -> TraceError {
    Self.damage(input, fileBytes, "the file goes on behind its last column")
  }

  /// The error that a section is wrong.
  func damage(_ input: TraceInput, _ section: EvtSection, _ problem: String) -> TraceError {
    Self.damage(input, place(of: section), "the \(section.name) \(problem)")
  }

  private static func damage(_ input: TraceInput, _ byte: Int, _ problem: String) -> TraceError {
    input.malformed(
      byte: byte, problem, "the file is damaged or none of evt; fetch or write it again")
  }
}
