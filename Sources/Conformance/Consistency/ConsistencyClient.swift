import CInline
import EvictionCore
import Parameters

/// The work of one thread of a check.
struct ConsistencyClient {
  let check: ConsistencyCheck
  let cache: VerifiableCache
  let ledger: WriteLedger
  let dealer: RequestDealer
  private var generator: SplitMix64
  private var outcome = ConsistencyOutcome()

  /// Operations between two looks at what the other threads do.
  static let batch = 64

  init(
    check: ConsistencyCheck, cache: VerifiableCache, ledger: WriteLedger, dealer: RequestDealer,
    number: Int
  ) {
    self.check = check
    self.cache = cache
    self.ledger = ledger
    self.dealer = dealer
    generator = SplitMix64(seed: check.seed ^ SplitMix64.mix(UInt64(number) + 1))
  }

  /// - Parameters:
  ///   - start: Waits until all threads are there.
  ///   - poll: Called with the operations dealt out; returning false ends the check.
  mutating func run(start: () -> Void, _ poll: (Int) -> Bool) -> ConsistencyOutcome {
    // Dealt before the start: a thread that comes late from it still has something to do.
    var batch = dealer.deal()
    outcome.threads = batch.isEmpty ? 0 : 1
    start()
    while !batch.isEmpty {
      for position in batch { operate(on: UInt64(check.keys[position % check.keys.count])) }
      if !outcome.violations.isEmpty || !poll(batch.lowerBound) { dealer.stop() }
      batch = dealer.deal()
    }
    return outcome
  }

  private mutating func operate(on key: UInt64) {
    if generator.index(below: check.removalsOfAll) == 0 { return removeAll() }
    if generator.index(below: check.trims) == 0 { return trim() }
    var chance = generator.index(below: 1_000)
    func falls(in share: Int) -> Bool {
      defer { chance -= share }
      return 0..<share ~= chance
    }
    if falls(in: check.removals) {
      remove(key)
    } else if falls(in: check.insertions) {
      insert(key)
    } else if falls(in: check.updates) {
      update(key)
    } else if falls(in: check.loads) {
      load(key)
    } else if falls(in: check.sets) || !get(key) {
      set(key)
    }
  }
}

// MARK: - Reads

extension ConsistencyClient {
  /// The knowledge at the beginning of a read.
  private struct Reading {
    let oldestAllowed: UInt64
    let start: UInt64
  }

  private func beginReading(_ key: UInt64) -> Reading {
    Reading(
      oldestAllowed: ledger.oldestAllowed(key),
      start: check.expiring > 0 ? evl_monotonic_nanoseconds() : 0)
  }

  private mutating func judge(_ value: StampedValue, of key: UInt64, _ reading: Reading) {
    outcome.hits += 1
    let violation = ledger.violation(
      in: value, of: key, oldestAllowed: reading.oldestAllowed, start: reading.start)
    if let violation, outcome.violations.isEmpty { outcome.violations.append(violation) }
  }

  /// Returns true if the key had a value.
  private mutating func get(_ key: UInt64) -> Bool {
    outcome.gets += 1
    let reading = beginReading(key)
    guard let value = cache.value(key) else { return false }
    judge(value, of: key, reading)
    return true
  }

  private mutating func load(_ key: UInt64) {
    outcome.gets += 1
    let reading = beginReading(key)
    var isLoaded = false
    let value = cache.load(key, chosenCost(of: key)) {
      isLoaded = true
      let version = ledger.beginLoad(key)
      // Now and then others run meanwhile.
      if version.isMultiple(of: 4) { sched_yield() }
      return StampedValue(key: key, version: version)
    }
    if isLoaded { outcome.loads += 1 }
    if let value { judge(value, of: key, reading) }
  }
}

// MARK: - Writes

extension ConsistencyClient {
  /// A write under way.
  private struct Writing {
    let write: WriteLedger.Write
    let value: StampedValue
    /// The lifetime of the value; nil for good.
    let lifetime: Duration?
    /// The time at which it began; 0 where that does not matter.
    let start: UInt64
  }

  private mutating func begin(_ key: UInt64) -> Writing {
    let lifetime = generator.index(below: 1_000) < check.expiring ? chosenLifetime() : nil
    outcome.sets += 1
    if lifetime != nil { outcome.expiring += 1 }
    let write = ledger.begin(key)
    let start = lifetime == nil ? 0 : evl_monotonic_nanoseconds()
    let value = StampedValue(
      key: key, version: write.version, supersedes: write.supersedes,
      deadline: lifetime.map { start + $0 } ?? .max)
    return Writing(
      write: write, value: value, lifetime: lifetime.map { .nanoseconds(Int64($0)) }, start: start)
  }

  /// The cache has acknowledged the write; no read may return a value that it did not store then.
  private func end(_ writing: Writing, of key: UInt64, isStored: Bool) {
    if writing.lifetime != nil {
      writing.value.settle(after: evl_monotonic_nanoseconds() - writing.start)
    }
    ledger.end(writing.write, of: key)
    if !isStored { writing.value.withdraw() }
  }

  private mutating func set(_ key: UInt64) {
    let cost = chosenCost(of: key)
    let writing = begin(key)
    let isStored = cache.store(writing.value, key, cost, writing.lifetime)
    end(writing, of: key, isStored: isStored)
  }

  private mutating func insert(_ key: UInt64) {
    let cost = chosenCost(of: key)
    let reading = beginReading(key)
    let writing = begin(key)
    let (isInserted, present) = cache.insert(writing.value, key, cost, writing.lifetime)
    if isInserted { return end(writing, of: key, isStored: true) }
    ledger.cancel(writing.write, of: key)
    writing.value.withdraw()
    if let present { judge(present, of: key, reading) }
  }

  /// Reads and sets in one step, or removes.
  private mutating func update(_ key: UInt64) {
    let cost = chosenCost(of: key)
    let removes = generator.index(below: 4) == 0
    let reading = beginReading(key)
    let writing = begin(key)
    let present = cache.update(removes ? nil : writing.value, key, cost, writing.lifetime)
    // The cache does not say if it has stored the value.
    end(writing, of: key, isStored: !removes)
    if let present { judge(present, of: key, reading) }
  }

  private mutating func remove(_ key: UInt64) {
    let write = ledger.begin(key)
    cache.remove(key)
    ledger.end(write, of: key)
    outcome.removals += 1
  }

  private mutating func removeAll() {
    let writes = (0..<UInt64(ledger.keys)).map { ledger.begin($0) }
    cache.removeAll()
    for (key, write) in writes.enumerated() { ledger.end(write, of: UInt64(key)) }
    outcome.removals += 1
  }

  /// Trims the cache, or changes its count limit, takes it away or restores it.
  private mutating func trim() {
    // Small numbers more often than large ones, which change little.
    let count = generator.index(below: 1 + generator.index(below: check.distinct + 1))
    switch generator.index(below: 6) {
    case 0: cache.setCountLimit(count)
    case 1: cache.setCountLimit(nil)
    case 2: cache.setCountLimit(cache.countLimit)
    default: cache.trim(count)
    }
    outcome.trims += 1
  }

  /// Nanoseconds, from 1.
  private mutating func chosenLifetime() -> UInt64 {
    UInt64(1 + generator.index(below: Int(check.lifetime / .nanoseconds(1))))
  }

  /// From 1 to 4: most often the key's usual one.
  private mutating func chosenCost(of key: UInt64) -> Int {
    1 + (generator.index(below: 8) == 0 ? generator.index(below: 4) : Int(key % 4))
  }
}
