import CInline
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A read-write lock whose readers count themselves in cache lines of their own: they do not disturb each
/// other, and a writer looks at all of them.
///
/// A reader that meets a writer asks again a few times, then waits for the lock that writers hold, and
/// enters with it; a writer waits
/// for the readers inside by asking again. So a reader that keeps coming is not starved, and neither is a
/// writer, as no reader enters past it. A writer's wait for a reader of background priority does not raise
/// that one's priority.
///
/// - Paper: W. C. Hsieh and W. E. Weihl, “Scalable reader-writer locks for parallel systems”, IPPS 1992.
public final class BigReaderLock: TryableLock, @unchecked Sendable {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "big-reader",
    summary: "readers count themselves, each thread apart; a writer waits for all of them",
    sharesReads: true)

  /// The number of times that a reader asks whether a writer has left before it queues up with the writers.
  private static let mostTries = 64

  /// Readers inside, by thread.
  private let readers = ThreadStripes(bytes: MemoryLayout<Atomic<Int>>.size)
  private let paddingBefore = CacheLinePadding()
  private let isWriting = Atomic(false)
  private let writers = AdaptiveLock()
  private let paddingAfter = CacheLinePadding()

  /// Creates an unlocked lock.
  public init() {}

  deinit { readers.deallocate() }

  private func count(at stripe: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Atomic<Int>> {
    stripe.assumingMemoryBound(to: Atomic<Int>.self)
  }

  /// Runs `body` alone.
  public func withLock(_ body: () -> Void) {
    writers.withLock {
      // A reader counts itself and then looks here; a writer says so here and then looks at the counts.
      // In one total order of the four, one of the two sees the other.
      isWriting.store(true, ordering: .sequentiallyConsistent)
      for index in 0..<readers.count {
        var tries = 0
        while count(at: readers[index]).pointee.load(ordering: .sequentiallyConsistent) != 0 {
          tries += 1
          if tries < 64 { evl_pause() } else { sched_yield() }
        }
      }
      body()
      isWriting.store(false, ordering: .releasing)
    }
  }

  /// Runs `body` beside other readers.
  public func withSharedLock(_ body: () -> Void) {
    let own = count(at: readers.own)
    var tries = 0
    while !enter(own) {
      tries += 1
      if tries == BigReaderLock.mostTries {
        writers.withLock { own.pointee.wrappingAdd(1, ordering: .relaxed) }
        break
      }
      while isWriting.load(ordering: .relaxed) && tries < BigReaderLock.mostTries - 1 {
        tries += 1
        evl_pause()
      }
    }
    body()
    own.pointee.wrappingSubtract(1, ordering: .releasing)
  }

  /// Runs `body` alone, if no thread writes or reads.
  public func withLockIfAvailable(_ body: () -> Void) -> Bool {
    var isAlone = false
    _ = writers.withLockIfAvailable {
      isWriting.store(true, ordering: .sequentiallyConsistent)
      isAlone = (0..<readers.count).allSatisfy {
        count(at: readers[$0]).pointee.load(ordering: .sequentiallyConsistent) == 0
      }
      if isAlone { body() }
      isWriting.store(false, ordering: .releasing)
    }
    return isAlone
  }

  /// Runs `body` beside other readers, if no thread writes.
  public func withSharedLockIfAvailable(_ body: () -> Void) -> Bool {
    let own = count(at: readers.own)
    if !enter(own) { return false }
    body()
    own.pointee.wrappingSubtract(1, ordering: .releasing)
    return true
  }

  /// Counts a reader, unless a thread writes.
  private func enter(_ own: UnsafeMutablePointer<Atomic<Int>>) -> Bool {
    own.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if !isWriting.load(ordering: .sequentiallyConsistent) { return true }
    own.pointee.wrappingSubtract(1, ordering: .releasing)
    return false
  }
}
