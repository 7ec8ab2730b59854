/// The identities of a trace's distinct keys, by id.
enum KeyIdentities: Sendable {
  /// Integer keys, by their value.
  case integers(Column<UInt64>)
  /// Text keys, by a 128-bit hash of their bytes.
  case texts(Column<KeyHash>)

  var count: Int {
    switch self {
    case .integers(let values): values.count
    case .texts(let hashes): hashes.count
    }
  }
}

extension Trace {
  /// A stable 64-bit hash of a distinct key.
  ///
  /// The same key has the same hash in every format, every run and every release: an integer key
  /// hashes as its decimal text does. Traps when there is no such id. O(1).
  public func keyHash(of id: UInt32) -> UInt64 {
    switch identities {
    case .integers(let values): KeyHash(decimal: values[Int(id)]).low
    case .texts(let hashes): hashes[Int(id)].low
    }
  }

  /// The stable hashes of all distinct keys, by id, varied by a seed.
  ///
  /// Seed 0 gives ``keyHash(of:)``; any other seed gives values independent of it. Computed on
  /// each call: O(distinct), about 10 ns a key; 8 bytes a key.
  public func keyHashes(seed: UInt64 = 0) -> Column<UInt64> {
    var hashes = ColumnBuffer<UInt64>()
    let target = hashes.reserve(distinct)
    func fill<Key>(_ keys: Column<Key>, _ hash: (Key) -> UInt64) {
      keys.withUnsafeBufferPointer { keys in
        for id in keys.indices { target[id] = hash(keys[id]).varied(by: seed) }
      }
    }
    switch identities {
    case .integers(let values): fill(values) { KeyHash(decimal: $0).low }
    case .texts(let texts): fill(texts) { $0.low }
    }
    hashes.commit(distinct)
    return hashes.freeze()
  }

  /// The value of an integer key; nil when the trace's keys are text. Traps when there is no such
  /// id. O(1).
  public func integerKey(of id: UInt32) -> UInt64? {
    integerKeys?[Int(id)]
  }

  /// The values of integer keys, by id; nil when the trace's keys are text. O(1).
  package var integerKeys: Column<UInt64>? {
    guard case .integers(let values) = identities else { return nil }
    return values
  }
}

extension UInt64 {
  /// This hash for another seed; seed 0 leaves it.
  func varied(by seed: UInt64) -> UInt64 {
    seed == 0 ? self : KeyHash.finish(self ^ KeyHash.finish(seed))
  }
}

extension Trace {
  /// A trace in memory of keys that are numbered in the order of their first appearance.
  package convenience init(keys ids: [UInt32]) {
    self.init(
      name: "", format: "", ids: Column(ids),
      identities: .integers(Column((0...UInt64(ids.max() ?? 0)).map { $0 })), sizes: nil,
      times: nil, operations: nil, ttls: nil, costs: nil, classes: nil, classNames: [],
      keyLengths: nil, groupStarts: nil)
  }
}
