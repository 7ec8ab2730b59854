/// A field of a binary record: where it stands and what its bytes are.
struct RecordField: Sendable, Equatable {
  /// The type of a field.
  enum Kind: Sendable, Equatable {
    case unsigned(bytes: Int)
    case signed(bytes: Int)
    case float
    case double
    /// A single letter.
    case character
    /// A number of bytes of text, zeros at its end not counted.
    case text(bytes: Int)
  }

  /// The first byte within the record.
  var offset: Int
  var kind: Kind
  var isBigEndian = false
  /// The lowest bit that counts, and a mask over what is left above it.
  var shift: UInt64 = 0
  var mask: UInt64 = .max

  /// A whole number, little-endian and without a sign.
  static func unsigned(
    _ bytes: Int, at offset: Int, shift: UInt64 = 0, mask: UInt64 = .max
  ) -> RecordField {
    RecordField(offset: offset, kind: .unsigned(bytes: bytes), shift: shift, mask: mask)
  }

  var isText: Bool {
    if case .text = kind { true } else { false }
  }

  var isFloatingPoint: Bool { kind == .float || kind == .double }

  /// True when a value above `Int64.max` is negative and not large.
  var isSigned: Bool {
    if case .signed = kind { true } else { false }
  }

  /// Writes the field of each record as 64 bits: whole numbers extended by their sign, floating
  /// point as the bits of a `Double`. O(count), and nothing is decided per record.
  func decode(_ records: RecordSlice, into target: UnsafeMutablePointer<UInt64>) {
    switch kind {
    case .unsigned(1), .character: integers(UInt8.self, records, target)
    case .unsigned(2): integers(UInt16.self, records, target)
    case .unsigned(4): integers(UInt32.self, records, target)
    case .unsigned: integers(UInt64.self, records, target)
    case .signed(1): integers(Int8.self, records, target)
    case .signed(2): integers(Int16.self, records, target)
    case .signed(4): integers(Int32.self, records, target)
    case .signed: integers(Int64.self, records, target)
    case .float:
      integers(UInt32.self, records, target)
      for index in 0..<records.count {
        let bits = UInt32(truncatingIfNeeded: target[index])
        target[index] = Double(Float(bitPattern: bits)).bitPattern
      }
    case .double: integers(UInt64.self, records, target)
    case .text: preconditionFailure("a text is no number")
    }
  }

  @inline(__always)
  private func integers<Number: FixedWidthInteger>(
    _ type: Number.Type, _ records: RecordSlice, _ target: UnsafeMutablePointer<UInt64>
  ) {
    let base = records.base + offset
    let stride = records.stride
    if isBigEndian {
      for index in 0..<records.count {
        let value = base.loadUnaligned(fromByteOffset: index &* stride, as: Number.self)
        target[index] = UInt64(truncatingIfNeeded: value.bigEndian)
      }
    } else {
      for index in 0..<records.count {
        let value = base.loadUnaligned(fromByteOffset: index &* stride, as: Number.self)
        target[index] = UInt64(truncatingIfNeeded: value.littleEndian)
      }
    }
    guard shift > 0 || mask != .max else { return }
    for index in 0..<records.count { target[index] = (target[index] &>> shift) & mask }
  }
}

/// Consecutive records in memory.
struct RecordSlice {
  let input: TraceInput
  /// The place of the first record among the unpacked bytes.
  let offset: Int
  let base: UnsafeRawPointer
  let stride: Int
  let count: Int

  /// The error that a record is wrong.
  func malformed(_ record: Int, _ problem: String) -> TraceError {
    input.malformed(
      byte: offset + record * stride, problem, "is the format the right one, the file undamaged?")
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian number at a byte.
  func uint64(at byte: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: byte, as: UInt64.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes a number, little-endian.
  @inline(__always)
  func put<Number: FixedWidthInteger>(_ number: Number, at place: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: place, as: Number.self)
  }
}
