import Testing
import Traces

@Suite struct KeyTableTests {
  /// Key streams that a table may find hard.
  enum Pattern: String, CaseIterable {
    case random, few, ascending, equalLowBits, equalHighBits, farApart, alternating, oneEntry
    case smallAtLast, smallAtFirst, smallButOne, growing

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
      // Few at first for their range: hashed, and then in an array by key.
      case .smallAtLast: random.next() % 100_000
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

  @Test(arguments: Pattern.allCases)
  func idsAgreeWithADictionary(_ pattern: Pattern) {
    let seed: UInt64 = 7
    var random = SeededNumbers(seed)
    var table = KeyTable<UInt64>()
    var known: [UInt64: UInt32] = [:]
    var index = 0
    for _ in 0..<120 {
      let size = Int.random(in: 0...KeyTable<UInt64>.block, using: &random)
      var keys: [UInt64] = []
      for _ in 0..<size {
        keys.append(pattern.key(index, &random))
        index += 1
      }
      let expected = keys.map { key in
        let id = known[key] ?? UInt32(known.count)
        known[key] = id
        return id
      }
      var ids = [UInt32](repeating: 0, count: size)
      let isEnough = ids.withUnsafeMutableBufferPointer { target in
        keys.withUnsafeBufferPointer { keys in
          guard let from = keys.baseAddress, let to = target.baseAddress else { return true }
          return table.resolve(from, count: size, into: to)
        }
      }
      #expect(isEnough)
      #expect(ids == expected, "\(pattern), seed \(seed)")
    }
    #expect(table.count == known.count)
    let identities = table.takeIdentities()
    for (key, id) in known { #expect(identities[Int(id)] == key) }
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
