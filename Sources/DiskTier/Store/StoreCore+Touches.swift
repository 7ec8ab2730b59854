extension StoreCore {
  /// Notes an access, and writes what is gathered when that is enough.
  ///
  /// Failing to write costs only a little of the order: it is counted, and tried again.
  func touch(_ hash: Int64) {
    touches[hash] = clock.next(now())
    if touches.count >= touchesToGather { tryFlushingTouches() }
    if touches.count >= 16 * options.touchesPerFlush { forgetTouches() }
  }

  func tryFlushingTouches() {
    do throws(StoreError) {
      try flushTouches()
    } catch {
      statistics.failedFlushes += 1
      // Not every access that follows tries again.
      touchesToGather = touches.count + options.touchesPerFlush
    }
  }

  /// Writes all gathered access times in one transaction.
  func flushTouches() throws(StoreError) {
    if touches.isEmpty { return }
    try perform { database throws(StoreError) in
      // In the order of the index that finds the rows.
      let gathered = touches.sorted { $0.key < $1.key }
      try change(database, "write access times") { _ throws(StoreError) in
        for (hash, access) in gathered {
          let touch = database.statements.touch
          touch.bind(1, hash)
          touch.bind(2, access)
          try touch.run()
        }
      }
      forgetTouches()
    }
  }

  func forgetTouches() {
    touches.removeAll(keepingCapacity: true)
    touchesToGather = options.touchesPerFlush
  }
}
