extension HybridStore {
  /// Hands out all entries, least recently accessed first, in batches of at most `size`.
  ///
  /// Entries put meanwhile are not handed out; those removed meanwhile may be missing, and the store may be
  /// used from `body`, which returns whether to go on.
  ///
  /// - Complexity: O(n log n) time, 16 bytes an entry. The lock is held while all access times are read.
  public func forEachBatch(
    of size: Int = 512, _ body: ([StoredRow]) throws(StoreError) -> Bool
  ) throws(StoreError) {
    precondition(size > 0, "a batch has at least one entry")
    let order = try accessOrder()
    var start = 0
    while start < order.count {
      let end = min(start + size, order.count)
      let rows = try rows(order[start..<end])
      if !rows.isEmpty {
        let goesOn = try body(rows)
        if !goesOn { return }
      }
      start = end
    }
  }

  /// The hashes of all entries, least recently accessed first.
  func accessOrder() throws(StoreError) -> [Int64] {
    var order = try locked { () throws(StoreError) in try core.accesses() }
    order.sort { ($0.access, $0.hash) < ($1.access, $1.hash) }
    return order.map(\.hash)
  }

  /// The rows with these hashes, in this order, without those that are gone.
  func rows(_ hashes: some Sequence<Int64>) throws(StoreError) -> [StoredRow] {
    try locked { () throws(StoreError) in try core.rows(hashes) }
  }
}

extension StoreCore {
  /// The latest access of every entry, those gathered in memory included.
  func accesses() throws(StoreError) -> [(access: Int64, hash: Int64)] {
    try perform { database throws(StoreError) in
      let row = database.statements.accesses
      defer { row.reset() }
      var accesses: [(access: Int64, hash: Int64)] = []
      while try row.step() {
        let hash = row.integer(1)
        accesses.append((access: max(row.integer(0), touches[hash] ?? 0), hash: hash))
      }
      return accesses
    }
  }

  /// The rows with these hashes, in this order, without those that are gone.
  func rows(_ hashes: some Sequence<Int64>) throws(StoreError) -> [StoredRow] {
    try perform { database throws(StoreError) in
      let row = database.statements.describe
      var rows: [StoredRow] = []
      for hash in hashes {
        defer { row.reset() }
        row.bind(1, hash)
        guard try row.step() else { continue }
        rows.append(
          StoredRow(
            key: row.string(0), metadata: metadata(row, hash, extendedSize: Int(row.integer(7)))))
      }
      return rows
    }
  }
}
