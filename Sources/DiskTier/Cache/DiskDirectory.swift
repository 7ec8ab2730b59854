import EvictionCore
import Synchronization

/// The index of a disk cache: its entries, and their order of departure.
///
/// Its changes come from one thread at a time; uses come from any.
protocol DiskDirectory: Sendable {
  /// The keys that have left, but whose rows have not.
  var leaving: LeavingKeys { get }

  /// A get asks for `key`: tells the policy of a hit.
  ///
  /// - Returns: False if the key is surely not there.
  func use(_ key: TextKey) -> Bool

  /// Returns true if the key has a value; nil if only the store knows. The policy does not learn of the
  /// question.
  func holds(_ key: TextKey) -> Bool?

  /// Returns the time that the key's value has left by a clock that is never set; nil if that is for ever, or
  /// unknown.
  func timeRemaining(of key: TextKey) -> Duration?

  /// A value of `cost`, which may be returned until `deadline`, is about to be put: decides, and makes
  /// room.
  ///
  /// - Returns: True to put it. If not, what the key had is leaving.
  func admit(_ key: TextKey, cost: Int, deadline: Int64?, tags: Set<String>) -> Bool

  /// Returns the keys of the entries that have `tag`.
  func keys(tagged tag: String) throws(StoreError) -> [TextKey]

  /// The key's value may be returned for `life` from now on; nil for ever. If that is over at once, it is leaving.
  func setLife(_ life: Duration?, of key: TextKey)

  /// The key's row is gone.
  func removed(_ key: TextKey)

  /// Returns true if a key that was leaving has a value again, as one that expired while it was set; then
  /// its row stays.
  func keeps(_ key: TextKey) -> Bool

  /// Rows could not be removed: their keys are still leaving.
  func removalFailed()

  /// Every row is gone.
  func removeAll()

  /// The entries whose time is over are leaving.
  ///
  /// - Returns: False if the directory does not know them, so that the rows must be looked at.
  func removeOutdated() -> Bool

  /// Evicts until at most `count` entries are left, which cost at most `cost`, but no more than about `limit`
  /// entries.
  ///
  /// - Returns: The number of entries that left: less than `limit` if no more are to leave.
  @discardableResult
  func trim(toCount count: Int, cost: Int, atMost limit: Int) throws(StoreError) -> Int

  /// Evicts what a put took the cache over its limits by, if ``admit(_:cost:deadline:tags:)`` has not.
  func enforceLimits() throws(StoreError)

  /// Returns the keys that would be evicted next, the first to leave first; nil if the policy can't tell.
  func coldest(_ count: Int) throws(StoreError) -> [TextKey]?

  /// Returns the keys that would be evicted last, the last first; nil if the policy can't tell.
  func hottest(_ count: Int) throws(StoreError) -> [TextKey]?

  /// The numbers that the policy has learned by now, by short names.
  var policyInternals: [String: Double] { get }

  /// The limits; nil means no limit.
  var limits: (count: Int?, cost: Int?) { get }

  /// Changes the limits, and evicts what is over them.
  func setLimits(count: Int?, cost: Int?) throws(StoreError)

  /// The keys of all entries; none if only the store knows them.
  var keys: [TextKey] { get }

  /// The number of entries.
  var count: Int { get throws(StoreError) }

  /// The sum of their costs.
  var totalCost: Int { get throws(StoreError) }
}

extension DiskDirectory {
  /// The key has no value any more, though perhaps a row, which must go.
  func discard(_ key: TextKey, _ cause: RemovalCause) {
    removed(key)
    leaving.add(key, cause)
  }
}

/// Keys that have left a directory, until their rows are removed, together.
///
/// A removal that failed is tried again with the next.
final class LeavingKeys: Sendable {
  private struct Leaving {
    /// The time at which the row to be removed was put; nil for any row of the key.
    var created: Int64?
    var cause: RemovalCause
  }

  private struct State {
    var keys: [TextKey: Leaving] = [:]
    /// The key that has got another value at last, while the row of the one that had left was still there.
    var kept: (key: TextKey, cause: RemovalCause)?
  }

  private let state = Mutex(State())
  private let evicted = Atomic<Int>(0)
  private let expired = Atomic<Int>(0)

  /// The number of entries evicted.
  var evictions: Int { evicted.load(ordering: .relaxed) }

  /// The number of entries that were too old.
  var expirations: Int { expired.load(ordering: .relaxed) }

  /// A limit pushed `key` out.
  func evict(_ key: TextKey) {
    evicted.add(1, ordering: .relaxed)
    add(key, .size)
  }

  /// The time of `key` is over.
  func expire(_ key: TextKey) {
    countExpirations(1)
    add(key, .expired)
  }

  func countExpirations(_ number: Int) { expired.add(number, ordering: .relaxed) }

  /// Any row of `key` is to be removed. If one was already, that had the former cause.
  func add(_ key: TextKey, _ cause: RemovalCause) {
    state.withLock { state in
      var former = state.keys[key]?.cause
      if state.kept?.key == key {
        former = state.kept?.cause
        state.kept = nil
      }
      state.keys[key] = Leaving(created: nil, cause: former ?? cause)
    }
  }

  /// Limits the removal of `key` to the row that was put at `created`.
  func restrict(_ key: TextKey, created: Int64) {
    state.withLock { $0.keys[key]?.created = created }
  }

  /// The time at which the row to be removed was put; nil if it is any row, or none.
  func created(_ key: TextKey) -> Int64? { state.withLock { $0.keys[key]?.created } }

  /// The cause for which `key` is leaving; nil if it is not.
  func cause(_ key: TextKey) -> RemovalCause? { state.withLock { $0.keys[key]?.cause } }

  /// The key is about to get a value again.
  func keep(_ key: TextKey) {
    state.withLock { state in
      state.kept = state.keys.removeValue(forKey: key).map { (key, $0.cause) }
    }
  }

  /// Returns the cause for which `key` was leaving when ``keep(_:)`` was called; nil if it was not.
  func takeKept(_ key: TextKey) -> RemovalCause? {
    state.withLock { state in
      defer { state.kept = nil }
      return state.kept?.key == key ? state.kept?.cause : nil
    }
  }

  /// Returns true if the row of `key` that was put at `created` is yet to be removed.
  func contains(_ key: TextKey, created: Int64) -> Bool {
    state.withLock { state in
      guard let leaving = state.keys[key] else { return false }
      return leaving.created ?? created == created
    }
  }

  /// All that are leaving now.
  var all: [TextKey] { state.withLock { Array($0.keys.keys) } }

  /// Their rows are gone, or are those of other values.
  func removed(_ removed: [TextKey]) {
    state.withLock { state in for key in removed { state.keys[key] = nil } }
  }
}
