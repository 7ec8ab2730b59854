import CInline
import Eviction

/// What one thread of a check does.
struct ConsistencyShare {
  let check: ConsistencyCheck
  let cache: VerifiableCache
  let ledger: WriteLedger
  let progress: ConsistencyCheck.Progress
  private var generator: SplitMix64
  private var outcome = ConsistencyOutcome()

  /// Operations between two looks at what the other threads do.
  private static let hand = 64

  init(
    check: ConsistencyCheck, cache: VerifiableCache, ledger: WriteLedger,
    progress: ConsistencyCheck.Progress, number: Int
  ) {
    self.check = check
    self.cache = cache
    self.ledger = ledger
    self.progress = progress
    generator = SplitMix64(seed: check.seed ^ SplitMix64.mix(UInt64(number) + 1))
  }

  /// - Parameters:
  ///   - start: Waits until all threads are there.
  ///   - poll: Called with the operations dealt out; returning false ends the check.
  mutating func run(start: () -> Void, _ poll: (Int) -> Bool) -> ConsistencyOutcome {
    // Dealt before the start: a thread that comes late from it has something to do all the same.
    var hand = deal()
    outcome.threads = hand.isEmpty ? 0 : 1
    start()
    while !hand.isEmpty {
      for position in hand { operate(on: UInt64(check.keys[position % check.keys.count])) }
      if !outcome.violations.isEmpty || !poll(hand.lowerBound) {
        progress.isOver.store(true, ordering: .relaxed)
      }
      hand = progress.isOver.load(ordering: .relaxed) ? 0..<0 : deal()
    }
    return outcome
  }

  /// The next operations for this thread; empty when all are dealt out.
  private func deal() -> Range<Int> {
    let start = progress.dealt.add(Self.hand, ordering: .relaxed).oldValue
    return min(start, check.operations)..<min(start + Self.hand, check.operations)
  }

  private mutating func operate(on key: UInt64) {
    if generator.index(below: check.removalsOfAll) == 0 {
      removeAll()
      return
    }
    let chance = generator.index(below: 1_000)
    if chance < check.removals {
      let write = ledger.begin(key)
      cache.remove(key)
      ledger.end(write, of: key)
      outcome.removals += 1
    } else if chance < check.removals + check.sets || !get(key) {
      set(key)
    }
  }

  /// Whether the key had a value.
  private mutating func get(_ key: UInt64) -> Bool {
    outcome.gets += 1
    let oldestAllowed = ledger.oldestAllowed(key)
    let start = check.expiring > 0 ? evl_monotonic_nanoseconds() : 0
    guard let value = cache.value(key) else { return false }
    outcome.hits += 1
    let violation = ledger.violation(
      in: value, of: key, oldestAllowed: oldestAllowed, start: start)
    if let violation, outcome.violations.isEmpty { outcome.violations.append(violation) }
    return true
  }

  private mutating func set(_ key: UInt64) {
    let lifetime = generator.index(below: 1_000) < check.expiring ? chosenLifetime() : nil
    let write = ledger.begin(key)
    let start = lifetime == nil ? 0 : evl_monotonic_nanoseconds()
    let value = StampedValue(
      key: key, version: write.version, supersedes: write.supersedes,
      deadline: lifetime.map { start + $0 } ?? .max)
    cache.store(value, key, lifetime.map { .nanoseconds(Int64($0)) })
    ledger.end(write, of: key, took: lifetime == nil ? 0 : evl_monotonic_nanoseconds() - start)
    outcome.sets += 1
    if lifetime != nil { outcome.expiring += 1 }
  }

  /// Nanoseconds, from 1.
  private mutating func chosenLifetime() -> UInt64 {
    UInt64(1 + generator.index(below: Int(check.lifetime / .nanoseconds(1))))
  }

  private mutating func removeAll() {
    let writes = (0..<UInt64(ledger.keys)).map { ledger.begin($0) }
    cache.removeAll()
    for (key, write) in writes.enumerated() { ledger.end(write, of: UInt64(key)) }
    outcome.removals += 1
  }
}
