/// A cache at one moment, with all that another one needs to go on as it would have gone on: its entries and ghosts by
/// slot, what the policy and the filter know, and the times that the entries have left.
package struct CacheSnapshot<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A slot that a key has: an entry, or a ghost.
  package struct Known: Sendable {
    package var slot: Slot
    package var key: Key
    package var cost: Int
    /// Nil for a ghost.
    package var value: Value?
    package var times: SavedTimes
    package var tags: Set<String>

    package init(
      slot: Slot, key: Key, cost: Int, value: Value?, times: SavedTimes = SavedTimes(),
      tags: Set<String> = []
    ) {
      self.slot = slot
      self.key = key
      self.cost = cost
      self.value = value
      self.times = times
      self.tags = tags
    }
  }

  package var form: SnapshotForm
  /// The policy's state.
  package var policyState: [UInt8]
  /// The admission filter's state.
  package var filterState: [UInt8]
  /// The slots that keys have, in their order.
  package var known: [Known]
  /// The slots below the first that was never used that no key has, in the order in which they are given away.
  package var free: [Slot]

  package init(
    form: SnapshotForm, policyState: [UInt8], filterState: [UInt8], known: [Known], free: [Slot]
  ) {
    self.form = form
    self.policyState = policyState
    self.filterState = filterState
    self.known = known
    self.free = free
  }
}

/// The kind of a cache, which another must have that goes on from it, and the capacity that it had.
package struct SnapshotForm: Equatable, Sendable {
  /// The policy with its parameters.
  package var policy: String
  /// The admission filter with its parameters; empty without one.
  package var admission: String
  /// True if the policy's capacity counts costs.
  package var countsCosts: Bool
  /// The start of the keys' hashes.
  package var seed: UInt64
  /// The capacity that the policy had; nil without a limit.
  package var capacity: Int?
  /// The time of the last request, for a policy that looks at times.
  package var time: Int64

  package init(
    policy: String, admission: String, countsCosts: Bool, seed: UInt64, capacity: Int?, time: Int64
  ) {
    self.policy = policy
    self.admission = admission
    self.countsCosts = countsCosts
    self.seed = seed
    self.capacity = capacity
    self.time = time
  }
}

/// The nanoseconds that an entry has left, and its age; `UInt64.max` is never.
package struct SavedTimes: BitwiseCopyable, Equatable, Sendable {
  /// Until the end of its time to live.
  package var end = UInt64.max
  /// Its time to idle.
  package var idle = UInt64.max
  /// Until the earlier end of the two.
  package var deadline = UInt64.max
  /// Until it is to be loaded anew.
  package var refresh = UInt64.max
  /// Since its age began; `UInt64.max` without one.
  package var age = UInt64.max

  package init() {}
}

/// The reason why a cache cannot be saved, or cannot go on from a snapshot.
package enum SnapshotProblem: Error, Equatable {
  /// The policy passes nothing on.
  case policyRefuses(String)
  /// Keys without a hash of their own, which the policy, the filter or the shards depend on.
  case hashesChange
  /// The snapshot is of a cache of another form.
  case differs(what: String, saved: String, here: String)
  /// The cache has entries already.
  case isNotEmpty
  /// The snapshot contradicts itself.
  case isDamaged
}
