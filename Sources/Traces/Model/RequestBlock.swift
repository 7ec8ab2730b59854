/// Consecutive requests that are to be written: what every encoding is handed.
final class RequestBlock {
  static let capacity = 8192

  var count = 0
  /// The texts of the keys, by id, where they are written and not ``keys``.
  var texts: KeyTexts?
  /// The keys' ids; set where there are ``texts``.
  let ids = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
  let keys = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
  /// Bytes; 1 where the source has no sizes.
  let sizes = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
  /// Nanoseconds; 0 where the source has no times.
  let times = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
  let operations = UnsafeMutablePointer<TraceOperation>.allocate(capacity: capacity)
  /// Nanoseconds; 0 where objects never expire.
  let ttls = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
  let classes = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
  /// The number from 1 of the request that asks for the same object next; −1 where there is none
  /// or it isn't known.
  let next = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)

  init() {
    sizes.initialize(repeating: 1, count: Self.capacity)
    times.initialize(repeating: 0, count: Self.capacity)
    operations.initialize(repeating: .get, count: Self.capacity)
    ttls.initialize(repeating: 0, count: Self.capacity)
    classes.initialize(repeating: 0, count: Self.capacity)
    next.initialize(repeating: -1, count: Self.capacity)
  }

  deinit {
    ids.deallocate()
    keys.deallocate()
    sizes.deallocate()
    times.deallocate()
    operations.deallocate()
    ttls.deallocate()
    classes.deallocate()
    next.deallocate()
  }
}

/// Where the requests that are written come from.
protocol RequestSource {
  /// How many there are.
  var requests: Int { get }

  /// The texts of the keys, where they are to be written.
  var texts: KeyTexts? { get }

  /// Fills a block, whose count is set, with the requests from `first` on.
  mutating func fill(_ block: RequestBlock, from first: Int)
}

extension RequestSource {
  var texts: KeyTexts? { nil }
}

/// A trace's requests. Text keys are their stable hashes, unless their texts are written: then they
/// are the numbers that all of them are, or these texts.
struct RecordedRequests: RequestSource {
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
}
