import EvictionCore
import Synchronization

/// Proves that a cache never returns what it may not, by using it from several threads at once.
///
///     let check = ConsistencyCheck(keys: ConsistencyCheck.skewedKeys(1_000), operations: 1_000_000)
///     let outcome = check.run(cache)
///     outcome.violations  // []
///
/// Threads walk through a stream of keys together and, by chance, get, set, insert, update, load or remove each; a
/// get that misses sets, as in a replay. Now and then one removes everything, trims the cache, changes its
/// count limit or takes it away. Every value is stamped with its key, version and a checksum, and every read
/// is held against what the writers have said (``Violation/Kind``). A first violation ends the check.
package struct ConsistencyCheck: Sendable {
  /// The stream of keys, dense numbers; when it ends it begins again.
  package let keys: [UInt32]
  /// All keys are below.
  let distinct: Int
  /// Threads that share the stream.
  package var threads = 4
  /// Operations of all threads.
  package var operations: Int
  /// The number of sets among 1 000 operations.
  package var sets = 100
  /// The number of insertions, which leave a value that is there, among 1 000 operations.
  package var insertions = 50
  /// The number of updates, which read and set or remove in one step, among 1 000 operations.
  package var updates = 50
  /// The number of gets that load a missing value among 1 000 operations.
  package var loads = 100
  /// The number of removals among 1 000 operations.
  package var removals = 20
  /// The number of operations of which one trims the cache or changes its count limit: large enough for the
  /// cache to be full in between.
  package var trims: Int
  /// The number of operations of which one removes everything: large, as that is a write of every key.
  package var removalsOfAll: Int
  /// The number of values that expire among 1 000 sets and insertions.
  package var expiring = 0
  /// The longest that those live; a cache must tell time by the precise clock.
  package var lifetime = Duration.milliseconds(2)
  /// The random seed.
  package var seed: UInt64 = 1

  /// A check of `operations` operations on a stream of keys, which is not empty.
  package init(keys: [UInt32], operations: Int) {
    precondition(!keys.isEmpty, "there are no keys to use")
    self.keys = keys
    self.operations = operations
    distinct = Int(keys.max() ?? 0) + 1
    removalsOfAll = max(1 << 12, 8 * distinct)
    trims = max(64, distinct / 4)
  }

  /// A stream over `count` keys of which few are used much.
  package static func skewedKeys(_ count: Int) -> [UInt32] {
    var generator = SplitMix64(seed: 7)
    return (0..<16 * count).map { _ in
      UInt32(generator.index(below: 1 + generator.index(below: count)))
    }
  }

  /// Uses the cache, which nothing else may have written to, and judges what it returns.
  ///
  /// The threads start together, and each does something if there are 64 operations for it.
  ///
  /// - Parameter poll: Called now and then with the operations done; returning false ends the check.
  package func run(
    _ cache: VerifiableCache, poll: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) -> ConsistencyOutcome {
    let ledger = WriteLedger(keys: distinct)
    let dealer = RequestDealer(0..<operations, batch: ConsistencyClient.batch)
    nonisolated(unsafe) let outcomes = UnsafeMutablePointer<ConsistencyOutcome>.allocate(
      capacity: threads)
    outcomes.initialize(repeating: ConsistencyOutcome(), count: threads)
    let seconds = ThreadGang.run(threads) { number, start in
      var share = ConsistencyClient(
        check: self, cache: cache, ledger: ledger, dealer: dealer, number: number)
      outcomes[number] = share.run(start: { _ = start() }, poll)
    }
    var whole = ConsistencyOutcome()
    for number in 0..<threads { whole.add(outcomes[number]) }
    whole.seconds = seconds
    outcomes.deinitialize(count: threads)
    outcomes.deallocate()
    return whole
  }
}

/// The outcome of a check.
package struct ConsistencyOutcome: Sendable {
  /// Reads, those that load what is missing included.
  package var gets = 0
  /// Values that reads, insertions and updates returned, each of which was judged.
  package var hits = 0
  /// Values that were loaded.
  package var loads = 0
  /// Sets, those after a miss included, insertions and updates.
  package var sets = 0
  /// Sets of values that expire.
  package var expiring = 0
  package var removals = 0
  /// Trims and changes of the count limit.
  package var trims = 0
  /// The first one each thread found.
  package var violations: [Violation] = []
  /// Threads that did some of it.
  package var threads = 0
  package var seconds = 0.0

  package init() {}

  package var operations: Int { gets + sets + removals + trims }

  package mutating func add(_ other: ConsistencyOutcome) {
    gets += other.gets
    hits += other.hits
    loads += other.loads
    sets += other.sets
    expiring += other.expiring
    removals += other.removals
    trims += other.trims
    violations += other.violations
    threads += other.threads
    seconds += other.seconds
  }
}
