// Limits and statistics; trims on demand.
extension MemoryCache {
  /// The number of entries that the cache holds. Those that have expired leave first.
  public var count: Int { readCurrent { $0.store.ledger.count } }

  /// The sum of the entries' costs. Those that have expired leave first.
  public var totalCost: Int { readCurrent { $0.store.ledger.totalCost } }

  /// True if the cache holds nothing. Entries that have expired leave first.
  public var isEmpty: Bool { count == 0 }

  /// The counts since the cache was created, and what it holds. Entries that have expired leave first.
  public var statistics: CacheStatistics {
    readCurrent { core in
      var statistics = core.statistics
      statistics.evictions = core.store.ledger.evictions
      statistics.count = core.store.ledger.count
      statistics.totalCost = core.store.ledger.totalCost
      touches?.count(into: &statistics)
      return statistics
    }
  }

  /// The most entries the cache may hold; nil for no limit. A lower limit evicts before the call returns.
  public var countLimit: Int? {
    get { read { $0.countLimit } }
    set {
      PolicyError.demandLimits(count: newValue)
      whenCurrent { core in core.setLimits(count: newValue, cost: core.costLimit) }
    }
  }

  /// The largest sum of costs; nil for no limit, which a cache that was created without ``EntryCosts`` cannot have. A lower
  /// limit evicts before the call returns.
  ///
  /// A cache that was created without a cost limit keeps counting objects in its policy; a cost limit set
  /// later trims.
  public var costLimit: Int? {
    get { read { $0.costLimit } }
    set {
      checkCostLimit(newValue)
      whenCurrent { core in core.setLimits(count: core.countLimit, cost: newValue) }
    }
  }

  /// Changes both limits. A lower one evicts before the call returns.
  public func setLimits(count: Int?, cost: Int?) {
    PolicyError.demandLimits(count: count)
    checkCostLimit(cost)
    whenCurrent { core in core.setLimits(count: count, cost: cost) }
  }

  private func checkCostLimit(_ limit: Int?) {
    PolicyError.demandLimits(cost: limit)
    if limit != nil && costs == nil { fatalError("\(PolicyError.costsAreUnknown)") }
  }

  /// The age at which entries expire; nil for no limit. A lower limit removes entries before the call
  /// returns.
  ///
  /// In a cache that kept no ages yet, those of its entries count from this call.
  public var ageLimit: Duration? {
    get {
      read { core in
        let limit = core.store.lifetimes.ageLimit
        return limit == .max ? nil : .nanoseconds(Int64(clamping: limit))
      }
    }
    set {
      locked { core in
        if newValue != nil { core.trackAges() }
        core.store.lifetimes.ageLimit = newValue?.nanoseconds ?? .max
      }
      whenCurrent { _ in }
    }
  }

  /// Removes what has expired or was discarded. The limits hold without it.
  ///
  /// - Returns: The number of entries that left.
  /// - Complexity: O(log n) for each of the n entries that expire; O(n) if values can be discarded.
  @discardableResult
  public func trim() -> Int {
    whenCurrent { core in core.removeDiscarded(observer: observer) }
  }

  /// Evicts, by the policy, until at most `count` entries are left; those that have expired leave first.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim(toCount count: Int) -> Int {
    whenCurrent { core in core.trim(toCount: count, cost: .max) }
  }

  /// Evicts, by the policy, until the entries cost at most `cost`, and all of them at 0; those that have
  /// expired leave first.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim(toCost cost: Int) -> Int {
    whenCurrent { core in core.trim(toCount: cost <= 0 ? 0 : .max, cost: cost) }
  }

  /// Evicts, by the policy, until at most `count` entries are left, which cost at most `cost`, but no more than
  /// about `limit` entries; those that have expired leave first.
  ///
  /// - Returns: The number of entries that left: less than `limit` if no more are to leave.
  package func trim(toCount count: Int, cost: Int, atMost limit: Int) -> Int {
    whenCurrent { core in
      let floor = max(0, core.store.ledger.count - limit)
      while core.store.ledger.count > floor
        && (core.store.ledger.count > count || core.store.ledger.totalCost > cost)
      {
        core.trim()
      }
    }
  }

  /// Removes the entries whose age is `age` or more.
  ///
  /// In a cache that kept no ages yet (``MemoryCacheOptions/tracksAges``), those of its entries count from
  /// this call.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim(toAge age: Duration) -> Int { trim(toAge: age, atMost: .max) }

  /// Removes the oldest entries whose age is `age` or more, at most `limit` of them.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  package func trim(toAge age: Duration, atMost limit: Int) -> Int {
    locked { core in core.trackAges() }
    var left = limit
    var removed = 0
    var isDone = false
    while !isDone {
      removed += whenCurrent { core in
        var steps = min(left, MemoryCache.expiryStep)
        while steps > 0, let slot = core.store.lifetimes.oldest(reaching: age.nanoseconds) {
          core.expire(slot, observer: observer)
          steps -= 1
          left -= 1
        }
        isDone = steps > 0 || left == 0
      }
    }
    return removed
  }

  /// The most entries that expire while the lock is held once.
  private static var expiryStep: Int { 500 }

  /// Removes what has expired, step by step, so that other operations need not wait for all of it; then runs
  /// `body`, with the lock held since the last step.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  func whenCurrent(_ body: (inout CacheCore<Key, Value>) -> Void) -> Int {
    var removed = 0
    var isCurrent = false
    while !isCurrent {
      locked { core in
        let before = core.store.ledger.count
        isCurrent = core.removeExpired(atMost: MemoryCache.expiryStep, observer: observer)
        if isCurrent { body(&core) }
        removed += before - core.store.ledger.count
      }
    }
    return removed
  }

  /// Does what the cache is to do when the system wants memory.
  func respond(_ response: PressureResponse) {
    switch response {
    case .nothing: return
    case .removeAll: removeAll()
    case .trim(let ratio):
      whenCurrent { core in
        core.trim(
          toCount: ratio.floor(of: core.store.ledger.count),
          cost: ratio.floor(of: core.store.ledger.totalCost))
      }
    }
  }

  func read<Result>(_ body: (borrowing CacheCore<Key, Value>) -> Result) -> Result {
    var result: Result?
    lock.withSharedLock { result = body(core.pointee) }
    guard let result else { preconditionFailure("the lock did not run its body") }
    return result
  }

  /// Reads after what has expired has left.
  private func readCurrent<Result>(
    _ body: (borrowing CacheCore<Key, Value>) -> Result
  ) -> Result {
    var result: Result? = read { $0.store.lifetimes.isInUse ? nil : body($0) }
    if let result { return result }
    whenCurrent { core in
      core.removeDiscarded(observer: observer)
      result = body(core)
    }
    guard let result else { preconditionFailure("the lock did not run its body") }
    return result
  }
}
