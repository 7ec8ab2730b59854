/// A format of records of one layout, without a header and without parameters.
protocol RecordFormat: FixedFormat {
  /// The places of a request's parts.
  static var layout: RecordLayout { get }
}

extension RecordFormat {
  static var isBinary: Bool { true }
  var keys: KeyKind { Self.layout.keys }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    try Self.layout.read(from: input, into: &builder)
  }
}

/// Binary records of one size, and where in them a request's parts stand: all that the formats
/// of fixed records differ in.
struct RecordLayout: Sendable, Equatable {
  /// Bytes of a record.
  var size: Int
  var key: RecordField
  /// The parts that add up to the object's bytes; empty where records have no size.
  var sizes: [RecordField] = []
  var time: RecordField?
  var ttl: RecordField?
  /// Nanoseconds of a unit of ``time`` and of ``ttl``.
  var unit: Int64 = .second
  /// The time to live that stands for none, beside 0.
  var unlimitedTTL: UInt64 = 0
  var operation: RecordField?
  var operations = OperationCodes.libCacheSim
  var classNumber: RecordField?
  /// The bytes of the key, which the record doesn't hold.
  var keyLength: RecordField?

  /// Records decoded at a time: their columns stay in the nearest cache.
  private static let sliceCount = 1024

  /// The kind of the keys.
  var keys: KeyKind { key.isText ? .text : .integer }

  /// Reads records to the end of the input, or as many as the builder wants.
  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    if operation != nil { builder.expectUnknownSizes() }
    let scratch = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * Self.sliceCount)
    defer { scratch.deallocate() }
    while !builder.isFull, let block = try input.nextRecords(of: size) {
      let base = block.baseAddress.unsafelyUnwrapped
      let count = min(block.count / size, builder.remaining)
      var taken = 0
      while taken < count {
        let slice = RecordSlice(
          input: input, offset: input.offset - block.count + taken * size,
          base: base + taken * size, stride: size, count: min(Self.sliceCount, count - taken))
        try appendColumns(of: slice, scratch, to: &builder)
        try appendKeys(of: slice, scratch, to: &builder)
        taken += slice.count
      }
    }
  }

  private func appendKeys(
    of slice: RecordSlice, _ scratch: UnsafeMutablePointer<UInt64>, to builder: inout TraceBuilder
  ) throws(TraceError) {
    if case .text(let bytes) = key.kind {
      for index in 0..<slice.count {
        let text = UnsafeRawBufferPointer(
          start: slice.base + index * size + key.offset, count: bytes)
        let end = text.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        try builder.append(text: UnsafeRawBufferPointer(rebasing: text[..<end]))
      }
      return
    }
    var lengths: UnsafePointer<UInt64>?
    if builder.wanted.contains(.keyLengths), let keyLength {
      keyLength.decode(slice, into: scratch + Self.sliceCount)
      lengths = UnsafePointer(scratch + Self.sliceCount)
    }
    if key == .unsigned(8, at: key.offset) {
      try builder.append(
        keysAt: slice.base + key.offset, stride: size, count: slice.count, lengths: lengths)
    } else {
      key.decode(slice, into: scratch)
      for index in 0..<slice.count { scratch[index] = scratch[index].littleEndian }
      try builder.append(
        keysAt: UnsafeRawPointer(scratch), stride: 8, count: slice.count, lengths: lengths)
    }
  }

  private func appendColumns(
    of slice: RecordSlice, _ scratch: UnsafeMutablePointer<UInt64>, to builder: inout TraceBuilder
  ) throws(TraceError) {
    let wanted = builder.wanted
    if wanted.contains(.sizes), let first = sizes.first {
      try decodeWhole(first, slice, scratch, "size")
      for part in sizes.dropFirst() {
        try decodeWhole(part, slice, scratch + Self.sliceCount, "size")
        for index in 0..<slice.count { scratch[index] &+= scratch[Self.sliceCount + index] }
      }
      if let operation {
        operation.decode(slice, into: scratch + Self.sliceCount)
        for index in 0..<slice.count
        where scratch[index] == 0 && operations[scratch[Self.sliceCount + index]] == .get {
          // A get that missed, which tells no size.
          scratch[index] = Trace.unknownSize
        }
      }
      builder.append(sizes: scratch, count: slice.count)
    }
    if wanted.contains(.times), let time {
      try decodeDuration(time, slice, scratch, "time")
      builder.append(times: Self.signed(scratch), count: slice.count)
    }
    if wanted.contains(.ttls), let ttl {
      try decodeDuration(ttl, slice, scratch, "time to live", none: unlimitedTTL)
      let values = Self.signed(scratch)
      for index in 0..<slice.count where values[index] < 0 {
        throw slice.malformed(index, "a time to live below 0")
      }
      builder.append(ttls: values, count: slice.count)
    }
    if wanted.contains(.operations), let operation {
      operation.decode(slice, into: scratch)
      for index in 0..<slice.count {
        guard let meaning = operations[scratch[index]] else {
          throw slice.malformed(index, "\(scratch[index]) is no operation")
        }
        builder.append(operation: meaning)
      }
    }
    if wanted.contains(.classes), let classNumber {
      classNumber.decode(slice, into: scratch)
      for index in 0..<slice.count { builder.append(classNumber: scratch[index]) }
    }
  }

  private static func signed(_ values: UnsafeMutablePointer<UInt64>) -> UnsafePointer<Int64> {
    UnsafePointer(UnsafeMutableRawPointer(values).assumingMemoryBound(to: Int64.self))
  }

  /// Decodes numbers that are whole and not negative; fractions are cut off.
  private func decodeWhole(
    _ field: RecordField, _ slice: RecordSlice, _ target: UnsafeMutablePointer<UInt64>,
    _ name: String
  ) throws(TraceError) {
    field.decode(slice, into: target)
    if field.isFloatingPoint {
      for index in 0..<slice.count {
        let value = Double(bitPattern: target[index])
        guard let whole = UInt64(exactly: value.rounded(.towardZero)) else {
          throw slice.malformed(index, "\(value) is no \(name)")
        }
        target[index] = whole
      }
    } else if field.isSigned {
      for index in 0..<slice.count where Int64(bitPattern: target[index]) < 0 {
        throw slice.malformed(index, "a \(name) of \(Int64(bitPattern: target[index]))")
      }
    }
  }

  /// Decodes numbers of units as nanoseconds, as the bits of an `Int64`; `none` becomes 0.
  private func decodeDuration(
    _ field: RecordField, _ slice: RecordSlice, _ target: UnsafeMutablePointer<UInt64>,
    _ name: String, none: UInt64 = 0
  ) throws(TraceError) {
    field.decode(slice, into: target)
    if field.isFloatingPoint {
      for index in 0..<slice.count {
        let value = Double(bitPattern: target[index]) * Double(unit)
        guard let whole = Int64(exactly: value.rounded(.towardZero)) else {
          throw slice.malformed(index, "\(value) nanoseconds are no \(name)")
        }
        target[index] = UInt64(bitPattern: whole)
      }
      return
    }
    for index in 0..<slice.count {
      let value = target[index]
      if value == none {
        target[index] = 0
        continue
      }
      let number = field.isSigned ? Int64(bitPattern: value) : Int64(exactly: value)
      guard let (product, isOver) = number?.multipliedReportingOverflow(by: unit), !isOver else {
        throw slice.malformed(index, "a \(name) of \(value) does not fit")
      }
      target[index] = UInt64(bitPattern: product)
    }
  }
}
