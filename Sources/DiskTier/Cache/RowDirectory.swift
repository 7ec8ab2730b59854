import Synchronization

/// A directory that is the rows themselves, for a store that several processes share.
///
/// Each process finds the next victims by itself: it scans the rows for the oldest sixteenth, and then evicts
/// those of them that were not used since, as far as this process knows: the others' latest accesses are
/// in their memory until they are flushed.
///
/// - Complexity: A scan is O(n log n) for n rows; there is one for every n/16 evictions.
final class RowDirectory: DiskDirectory {
  /// The order in which entries leave: the whole state of a policy.
  enum Order: String {
    /// First in, first out; overwriting changes nothing.
    case fifo
    /// Least recently used first.
    case lru

    func place(of metadata: StoredMetadata) -> Int64 {
      self == .fifo ? metadata.insertion : metadata.access
    }
  }

  private struct State {
    var countLimit: Int?
    var costLimit: Int?
    /// The oldest rows at the latest scan, the oldest last.
    var candidates: [(key: TextKey, place: Int64)] = []
  }

  private let store: HybridStore
  private let order: Order
  private let state: Mutex<State>
  let leaving = LeavingKeys()

  init(store: HybridStore, order: Order, limits: DiskCacheLimits) {
    self.store = store
    self.order = order
    state = Mutex(State(countLimit: limits.count, costLimit: limits.cost))
  }

  func use(_ key: TextKey) -> Bool { true }

  func holds(_ key: TextKey) -> Bool? { nil }

  func timeRemaining(of key: TextKey) -> Duration? { nil }

  /// Reads the tags of every row that may have some.
  func keys(tagged tag: String) throws(StoreError) -> [TextKey] {
    var keys: [TextKey] = []
    try store.forEachBatch { rows throws(StoreError) in
      for row in rows where row.metadata.extendedSize > 0 {
        if try store.tags(row.key).contains(tag) { keys.append(TextKey(row.key)) }
      }
      return true
    }
    return keys
  }

  func admit(_ key: TextKey, cost: Int, deadline: Int64?, tags: Set<String>) -> Bool {
    let fits = state.withLock { $0.countLimit != 0 && cost <= $0.costLimit ?? .max }
    if !fits { leaving.add(key, .size) }
    return fits
  }

  func setLife(_ life: Duration?, of key: TextKey) {
    if life?.nanoseconds == 0 { leaving.expire(key) }
  }

  func removed(_ key: TextKey) {}

  /// Returns true if another process has put the key since its row could not be removed.
  func keeps(_ key: TextKey) -> Bool {
    guard let created = leaving.created(key), let row = try? store.metadata(key.text),
      row.created != created
    else { return false }
    leaving.removed([key])
    return true
  }

  /// Notes the rows of the keys that are leaving: those that other processes put later stay.
  func removalFailed() {
    for key in leaving.all where leaving.created(key) == nil {
      do throws(StoreError) {
        if let row = try store.metadata(key.text) {
          leaving.restrict(key, created: row.created)
        } else {
          leaving.removed([key])
        }
      } catch { return }
    }
  }

  func removeOutdated() -> Bool { false }

  func removeAll() { state.withLock { $0.candidates = [] } }

  func trim(toCount count: Int, cost: Int, atMost limit: Int) throws(StoreError) -> Int {
    try state.withLock { state throws(StoreError) in
      var excess = (count: try max(store.count, 0) - count, cost: try totalCost - cost)
      var chosen: Set<TextKey> = []
      while chosen.count < limit, excess.count > 0 || excess.cost > 0,
        let victim = try nextVictim(&state, except: &chosen)
      {
        leaving.evict(victim.key)
        excess.count -= 1
        let cost = max(victim.size, 0).addingReportingOverflow(DiskCacheOptions.rowOverhead)
        excess.cost -= min(cost.overflow ? .max : cost.partialValue, max(excess.cost, 0))
      }
      return chosen.count
    }
  }

  func enforceLimits() throws(StoreError) {
    let (count, cost) = state.withLock { ($0.countLimit ?? .max, $0.costLimit ?? .max) }
    if count != .max || cost != .max { _ = try trim(toCount: count, cost: cost, atMost: .max) }
  }

  func coldest(_ count: Int) throws(StoreError) -> [TextKey]? {
    Array(try keysByPlace().prefix(max(count, 0)))
  }

  func hottest(_ count: Int) throws(StoreError) -> [TextKey]? {
    try keysByPlace().suffix(max(count, 0)).reversed()
  }

  /// Neither order learns anything.
  var policyInternals: [String: Double] { [:] }

  /// The keys of all rows that are not leaving, the first to leave first.
  private func keysByPlace() throws(StoreError) -> [TextKey] {
    let rows = try oldest(.max / 2, except: Set(leaving.all))
    return rows.reversed().map(\.key)
  }

  var limits: (count: Int?, cost: Int?) { state.withLock { ($0.countLimit, $0.costLimit) } }

  func setLimits(count: Int?, cost: Int?) throws(StoreError) {
    state.withLock { ($0.countLimit, $0.costLimit) = (count, cost) }
    try enforceLimits()
  }

  var keys: [TextKey] { [] }

  var count: Int { get throws(StoreError) { try store.count } }

  /// A damaged row may claim any size, less than nothing too.
  var totalCost: Int {
    get throws(StoreError) {
      let (rows, isHuge) = max(try store.count, 0)
        .multipliedReportingOverflow(by: DiskCacheOptions.rowOverhead)
      let (sum, isLarger) = max(try store.totalSize, 0).addingReportingOverflow(rows)
      return isHuge || isLarger ? .max : sum
    }
  }

  /// The oldest row that was not chosen yet, and its size; nil if there is none.
  private func nextVictim(
    _ state: inout State, except chosen: inout Set<TextKey>
  ) throws(StoreError) -> (key: TextKey, size: Int)? {
    var scans = 0
    while true {
      while let candidate = state.candidates.popLast() {
        guard let metadata = try store.metadata(candidate.key.text),
          order.place(of: metadata) == candidate.place, chosen.insert(candidate.key).inserted
        else { continue }
        return (candidate.key, metadata.size)
      }
      // Candidates may all have been used meanwhile; a second scan in a row that finds none ends it.
      if scans == 2 { return nil }
      scans += 1
      state.candidates = try oldest(max(64, try store.count / 16), except: chosen)
    }
  }

  /// The `number` oldest rows but the chosen ones, the oldest last.
  private func oldest(
    _ number: Int, except chosen: Set<TextKey>
  ) throws(StoreError) -> [(key: TextKey, place: Int64)] {
    try store.flush()
    var oldest: [(key: TextKey, place: Int64)] = []
    func cut() {
      oldest.sort { $0.place < $1.place }
      oldest.removeLast(max(0, oldest.count - number))
    }
    try store.forEachBatch { rows in
      for row in rows {
        let key = TextKey(row.key)
        if !chosen.contains(key) { oldest.append((key, order.place(of: row.metadata))) }
      }
      if oldest.count >= 2 * number { cut() }
      // Rows come in the order of their accesses.
      return order == .fifo || oldest.count < number
    }
    cut()
    return oldest.reversed()
  }
}
