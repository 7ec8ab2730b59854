import Testing
import Traces

@Suite struct KeyTableTests {
  /// Key streams that a table may find hard.
  enum Pattern: String, CaseIterable {
    case random, few, ascending, equalLowBits, equalHighBits, farApart, alternating, oneEntry
    case small, smallAtFirst, smallButOne, growing

    func key(_ index: Int, _ random: inout SeededNumbers) -> UInt64 {
      switch self {
      case .random: random.next()
      case .few: random.next() % 100
      case .ascending: UInt64(index)
      case .equalLowBits: random.next() << 44
      case .equalHighBits: random.next() & 0xFFFFF | 0xABC << 52
      case .farApart: UInt64(index) &* 0x9e37_79b9_7f4a_7c15
      case .alternating: index % 2 == 0 ? 0 : UInt64.max
      case .oneEntry: inverse(UInt64(index % 300))
      case .small: random.next() % 100_000
      case .smallAtFirst: index < 9_000 ? random.next() % 20_000 : random.next() % 3_000_000
      case .smallButOne: index == 15_000 ? 1 << 40 : random.next() % 30_000
      case .growing: random.next() % UInt64(64 + 3 * index)
      }
    }

    /// A key whose hash is small, so that all of them want the table's first entry.
    private func inverse(_ hash: UInt64) -> UInt64 {
      func undo(_ value: UInt64) -> UInt64 { value ^ (value >> 33) }
      var key = undo(hash) &* 0x9cb4_b2f8_1293_37db
      key = undo(key) &* 0x4f74_430c_22a5_4005
      return undo(key)
    }
  }

  /// Numbers keys block by block, and compares with a dictionary.
  private func expectIDs(
    of keys: [UInt64], keepingIdentities: Bool, _ comment: Comment
  ) {
    var random = SeededNumbers(9)
    var table = KeyTable<UInt64>(keepsIdentities: keepingIdentities)
    var known: [UInt64: UInt32] = [:]
    var rest = keys[...]
    while !rest.isEmpty {
      let block = Array(rest.prefix(Int.random(in: 0...KeyTable<UInt64>.block, using: &random)))
      rest.removeFirst(block.count)
      let expected = block.map { key in
        let id = known[key] ?? UInt32(known.count)
        known[key] = id
        return id
      }
      var ids = [UInt32](repeating: 0, count: block.count)
      let isEnough = ids.withUnsafeMutableBufferPointer { target in
        block.withUnsafeBufferPointer { keys in
          guard let from = keys.baseAddress, let to = target.baseAddress else { return true }
          return table.resolve(from, count: block.count, into: to)
        }
      }
      #expect(isEnough)
      if ids != expected { Issue.record(comment) }
    }
    #expect(table.count == known.count)
    if !keepingIdentities { return }
    let identities = table.takeIdentities()
    #expect(known.allSatisfy { key, id in identities[Int(id)] == key })
  }

  @Test(arguments: Pattern.allCases, [true, false])
  func idsAgreeWithADictionary(_ pattern: Pattern, keepingIdentities: Bool) {
    var random = SeededNumbers(7)
    let keys = (0..<30_000).map { pattern.key($0, &random) }
    expectIDs(of: keys, keepingIdentities: keepingIdentities, "\(pattern)")
  }

  @Test(arguments: [true, false], [true, false])
  func keysThatFewComeToKnowAreHashedAtFirst(keepingIdentities: Bool, oneIsLarge: Bool) {
    // More than four times a million; all of them are small once there are half a million.
    var keys = (0..<700_000).map { UInt64($0) * 1_000_003 % (1 << 21) }
    if oneIsLarge { keys += [1 << 40, 5, 1 << 20] }
    expectIDs(of: keys, keepingIdentities: keepingIdentities, "from hashes to an array")
  }

  @Test func keysOfOneEntryReallyCollide() {
    var random = SeededNumbers(0)
    #expect((0..<300).allSatisfy { Pattern.oneEntry.key($0, &random).tableHash == UInt64($0) })
  }

  @Test func tooManyKeysAreRefused() {
    var table = KeyTable<UInt64>(most: 10)
    var ids = [UInt32](repeating: 0, count: 11)
    let keys = (0..<11).map(UInt64.init)
    #expect(table.resolve(keys, count: 10, into: &ids))
    #expect(table.resolve(keys, count: 10, into: &ids))
    #expect(!table.resolve(keys, count: 11, into: &ids))
  }

  @Test func tooManyKeysEndTheReadingWithAMessage() {
    for kind in [KeyKind.integer, .text] {
      let error = failure { () throws(TraceError) in
        var builder = TraceBuilder(
          name: "keys", file: "a/keys", format: "test", keys: kind, columns: .all, limit: nil,
          mostKeys: 1000)
        for key in 0..<UInt64(1001) { try builder.append(key: key) }
        _ = try builder.finish()
      }
      #expect(error == .tooManyKeys(file: "a/keys"))
    }
  }

  @Test func memoryStaysWithinItsBoundWhileKeysAreNew() throws {
    for kind in [KeyKind.integer, .text] {
      var builder = TraceBuilder(name: "new keys", format: "test", keys: kind)
      for key in 0..<UInt64(300_000) {
        try builder.append(key: key)
        if key % 500 == 0 {
          let bound = 6 * builder.requests + 48 * builder.requests + 128 << 10 + 2 << 20
          try #require(builder.keyBytes <= bound, "\(kind), \(key) keys")
          try #require(builder.peakKeyBytes <= bound, "\(kind), \(key) keys, at the peak")
        }
      }
    }
  }

  @Test func memoryStaysWithinItsBoundWhileKeysComeAgain() throws {
    var builder = TraceBuilder(name: "old keys", format: "test", keys: .text)
    for request in 0..<UInt64(500_000) {
      try builder.append(key: request % 1000)
      if request % 500 == 0 {
        let bound = 6 * builder.requests + 48 * 1000 + 128 << 10 + 2 << 20
        try #require(builder.peakKeyBytes <= bound, "\(request) requests")
      }
    }
  }
}
