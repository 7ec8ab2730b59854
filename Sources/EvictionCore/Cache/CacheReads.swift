/// When the policy of a cache learns of a get that found its key.
public enum CacheReads: String, Sendable, CaseIterable {
  /// At once, with the lock held alone: gets wait for each other.
  case strict
  /// A little later, many at a time: a get takes the lock as a reader and leaves a note.
  ///
  /// Gets run side by side where the lock admits several readers. The policy learns of them when a write
  /// takes the lock, or when one of the small buffers is full; under contention it never learns of some.
  /// That costs hits, seldom many, as a policy misses at random what happens often. What gets return is
  /// always up to date. In one thread nothing is lost, and the results are those of `strict`, unless the
  /// policy looks at the clock: its touches are as late as it learns of them. Entries whose life a use
  /// extends (a time to idle, an age since the last use) are read strictly.
  case buffered
}
