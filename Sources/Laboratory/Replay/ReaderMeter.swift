import Eviction
import Synchronization

/// Counts the readers that share a lock, without making them wait for each other.
final class ReaderMeter: @unchecked Sendable {
  private struct Counts: ~Copyable {
    let inside = Atomic(0)
    let acquisitions = Atomic(0)
  }

  private let stripes = ThreadStripes(bytes: MemoryLayout<Counts>.size)
  /// Those who had to wait.
  private let late = Mutex(LockRecord())

  init() {
    for index in 0..<stripes.count { counts(stripes[index]).initialize(to: Counts()) }
  }

  deinit { stripes.deallocate() }

  private func counts(_ stripe: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Counts> {
    stripe.assumingMemoryBound(to: Counts.self)
  }

  func enter() {
    let counts = counts(stripes.own)
    counts.pointee.inside.add(1, ordering: .relaxed)
    counts.pointee.acquisitions.add(1, ordering: .relaxed)
  }

  func leave() { counts(stripes.own).pointee.inside.subtract(1, ordering: .relaxed) }

  /// A reader is inside that had to wait.
  func waited(_ nanoseconds: UInt64) {
    late.withLock {
      $0.contended += 1
      $0.waits.record(nanoseconds)
    }
  }

  /// Whether somebody is inside.
  var isInside: Bool {
    (0..<stripes.count).contains {
      counts(stripes[$0]).pointee.inside.load(ordering: .relaxed) > 0
    }
  }

  /// What was recorded so far.
  var record: LockRecord {
    var record = late.withLock { $0 }
    for index in 0..<stripes.count {
      record.sharedAcquisitions += counts(stripes[index]).pointee.acquisitions.load(
        ordering: .relaxed)
    }
    record.acquisitions = record.sharedAcquisitions
    return record
  }

  /// Forgets what was recorded so far.
  func reset() {
    late.withLock { $0 = LockRecord() }
    for index in 0..<stripes.count {
      counts(stripes[index]).pointee.acquisitions.store(0, ordering: .relaxed)
    }
  }
}
