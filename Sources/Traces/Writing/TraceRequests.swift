/// A trace's requests. Text keys are their stable hashes, unless their texts are written: then they
/// are the numbers that all of them are, or these texts.
struct TraceRequests: RequestSource {
  private let trace: Trace
  private let keys: Column<UInt64>
  private let next: Column<Int64>
  /// The number of each class that is written: its name's, where all names are numbers.
  private let classNumbers: [UInt32]
  let texts: KeyTexts?

  /// The requests of a trace of which so much is written.
  init(_ trace: Trace, writing columns: TraceColumns) {
    self.trace = trace
    let hasTexts = columns.contains(.keyTexts)
    let keyNumbers = hasTexts ? trace.numericKeys : trace.integerKeys
    texts = hasTexts && keyNumbers == nil ? trace.keyTexts : nil
    keys = keyNumbers ?? trace.keyHashes()
    next = trace.nextRequests()
    let numbers = trace.classNames.compactMap { UInt32($0) }
    let isNumbered = numbers.count == trace.classNames.count
    classNumbers = isNumbered ? numbers : trace.classNames.indices.map { UInt32($0) }
  }

  var requests: Int { trace.requests }

  mutating func fill(_ block: RequestBlock, from first: Int) {
    func copy<Value>(_ column: Column<Value>?, to target: UnsafeMutablePointer<Value>) {
      column?.withUnsafeBufferPointer { values in
        guard let base = values.baseAddress else { return }
        target.update(from: base + first, count: block.count)
      }
    }
    copy(trace.sizes, to: block.sizes)
    copy(trace.times, to: block.times)
    copy(trace.operations, to: block.operations)
    copy(trace.ttls, to: block.ttls)
    copy(next, to: block.next)
    if texts != nil { copy(trace.ids, to: block.ids) }
    trace.ids.withUnsafeBufferPointer { ids in
      keys.withUnsafeBufferPointer { keys in
        for index in 0..<block.count { block.keys[index] = keys[Int(ids[first + index])] }
      }
    }
    trace.classes?.withUnsafeBufferPointer { classes in
      for index in 0..<block.count {
        block.classes[index] = classNumbers[Int(classes[first + index])]
      }
    }
  }
}

extension Trace {
  /// For each request the number from 1 of the next one for the same key, −1 where there is none.
  /// O(requests).
  func nextRequests() -> Column<Int64> {
    var next = ColumnBuffer<Int64>()
    let target = next.reserve(requests)
    var following = ColumnBuffer<Int64>()
    following.append(repeating: -1, count: distinct)
    if let following = following.elements {
      ids.withUnsafeBufferPointer { ids in
        for request in (0..<ids.count).reversed() {
          target[request] = following[Int(ids[request])]
          following[Int(ids[request])] = Int64(request) + 1
        }
      }
    }
    next.commit(requests)
    return next.freeze()
  }

  /// The keys as numbers, by id: those that they are, or whose texts they are, written as numbers
  /// are. Nil when a key is another text or its text isn't kept. O(distinct) for texts.
  var numericKeys: Column<UInt64>? {
    guard let keyTexts else { return integerKeys }
    var numbers = ColumnBuffer<UInt64>()
    for id in 0..<distinct {
      guard let number = keyTexts.withBytes(of: id, { $0.canonicalNumber }) else { return nil }
      numbers.append(number)
    }
    return numbers.freeze()
  }
}

extension UnsafeRawBufferPointer {
  /// The whole number whose decimal text the bytes are, without zeros in front.
  var canonicalNumber: UInt64? {
    count > 1 && first == UInt8(ascii: "0") ? nil : wholeNumber
  }
}
