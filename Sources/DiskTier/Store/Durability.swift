/// The events that an operation of a ``HybridStore`` survives once it has returned without an error.
///
/// Each level includes the ones before it. An operation that is not promised may be lost, but is never torn:
/// a value that is returned is always one that was put, whole.
public enum Durability: String, CaseIterable, Sendable {
  /// Nothing. After a power loss the database may be unreadable; the store then starts empty.
  ///
  /// Only the mark of a new store is synced (SQLite's `synchronous = OFF`).
  case none

  /// It survives the death of the process, at whatever moment, by whatever signal.
  ///
  /// A power loss may undo the latest operations, or make values that were in files misses, but leaves
  /// the database readable (SQLite's `synchronous = NORMAL`: it syncs only around checkpoints).
  case processCrash = "process-crash"

  /// It survives a power loss, on a disk that keeps what it has synced.
  ///
  /// A value's file and its folder are synced before the row is committed, and each commit is synced
  /// (SQLite's `synchronous = FULL`).
  case powerLoss = "power-loss"
}
