import CheckedCaches
import Dispatch
import Eviction
import TestConditions
import Testing

@Suite("Every lock")
struct LockTests {
  static let threadSafe = LockCatalog.threadSafe.map { $0.information.name }
  static let sharing = LockCatalog.all.map { $0.information }.filter(\.sharesReads).map(\.name)

  /// A value that only the lock under test keeps from being torn.
  private final class Guarded: @unchecked Sendable {
    var first = 0
    var second = 0
    /// Bodies that found the two different.
    var torn = 0
  }

  @Test("lets one body run at a time", arguments: threadSafe)
  func bodiesRunAlone(name: String) throws {
    let lock = try #require(LockCatalog.lock(named: name)).init()
    let guarded = Guarded()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<5_000 {
        lock.withLock {
          if guarded.first != guarded.second { guarded.torn += 1 }
          guarded.first += 1
          guarded.second += 1
        }
      }
    }
    #expect(guarded.torn == 0)
    #expect(guarded.first == 20_000 && guarded.second == 20_000)
  }

  @Test("lets readers see whole writes only", arguments: threadSafe)
  func readersSeeWholeWrites(name: String) throws {
    let lock = try #require(LockCatalog.lock(named: name)).init()
    let guarded = Guarded()
    let found = Guarded()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var torn = 0
      for _ in 0..<2_000 {
        if thread == 0 {
          lock.withLock {
            guarded.first += 1
            guarded.second += 1
          }
        } else {
          lock.withSharedLock { if guarded.first != guarded.second { torn += 1 } }
        }
      }
      lock.withLock { found.torn += torn }
    }
    #expect(found.torn == 0)
    #expect(guarded.first == 2_000)
  }

  @Test("lets readers run together, if it says so", arguments: sharing)
  func readersRunTogether(name: String) throws {
    let lock = try #require(LockCatalog.lock(named: name)).init()
    let entered = DispatchSemaphore(value: 0)
    let left = DispatchSemaphore(value: 0)
    let reader = DispatchQueue(label: "reader")
    reader.async {
      lock.withSharedLock {
        entered.signal()
        left.wait()
      }
    }
    entered.wait()
    // While the other one is inside.
    let isInside = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { lock.withSharedLock { _ = isInside.signal() } }
    #expect(isInside.wait(timeout: .now() + 60) == .success)
    left.signal()
    reader.sync {}
  }

  @Test("are told apart by whether they share reads")
  func someShareReads() {
    #expect(Self.sharing == ["barrier-queue", "rwlock", "big-reader"])
  }

  @Test("says whether it could be had at once, if it can be tried", arguments: threadSafe)
  func triesDoNotWait(name: String) throws {
    let lock = try #require(LockCatalog.lock(named: name)).init()
    guard let lock = lock as? any TryableLock else { return }
    var bodies = 0
    #expect(lock.withLockIfAvailable { bodies += 1 } && bodies == 1)
    #expect(lock.withSharedLockIfAvailable { bodies += 1 } && bodies == 2)
    let (entered, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for isShared in [false, true] {
      let holder = DispatchQueue(label: "holder")
      holder.async {
        let body: () -> Void = {
          entered.signal()
          left.wait()
        }
        if isShared { lock.withSharedLock(body) } else { lock.withLock(body) }
      }
      entered.wait()
      #expect(!lock.withLockIfAvailable { bodies += 100 })
      let shares = isShared && Self.sharing.contains(name)
      #expect(lock.withSharedLockIfAvailable { bodies += 1 } == shares)
      left.signal()
      holder.sync {}
      #expect(lock.withLockIfAvailable { bodies += 1 })
    }
    #expect(bodies == (Self.sharing.contains(name) ? 5 : 4))
  }

  @Test("lets threads that meet again and again take turns: adaptive", .enabled(if: isOptimized))
  func threadsTakeTurns() {
    let lock = AdaptiveLock()
    final class Counts: @unchecked Sendable {
      var last = 0
      var handovers = 0
    }
    let counts = Counts()
    let operations = 1_000_000
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for _ in 0..<operations {
        lock.withLock {
          if counts.last != thread { counts.handovers += 1 }
          counts.last = thread
        }
      }
    }
    #expect(counts.handovers * 200 < 2 * operations)
  }

  #if compiler(>=6.2)
    @Test("A read-write lock traps rather than run a body within a writer's")
    func readWriteLockWithinItself() async {
      await #expect(processExitsWith: .failure) {
        let lock = ReadWriteLock()
        lock.withLock { lock.withSharedLock {} }
      }
      await #expect(processExitsWith: .failure) {
        let lock = ReadWriteLock()
        lock.withLock { lock.withLock {} }
      }
    }

    @Test(
      "No lock at all traps in debug builds where a body runs within another's",
      .enabled(if: !isOptimized))
    func noLockWithinItself() async {
      await #expect(processExitsWith: .failure) {
        let lock = NoLock()
        lock.withLock { lock.withSharedLock {} }
      }
    }
  #endif
}
