import Synchronization

/// The programs that this one has started, and has not seen end.
package enum StartedPrograms {
  private static let count = Atomic<Int>(0)

  /// Counts a program that begins to run.
  package static func add() { count.add(1, ordering: .relaxed) }

  /// Counts one that has ended.
  package static func remove() { count.subtract(1, ordering: .relaxed) }

  /// True while one runs; may be asked within a signal, once it was asked outside of one.
  package static var areRunning: Bool { count.load(ordering: .relaxed) > 0 }
}
