import Interleaving
import Synchronization

@testable import EvictionCore

extension Scenario {
  /// Every lock of the catalog that threads may share.
  static var locks: [Scenario] {
    LockCatalog.all.filter { $0.information.isThreadSafe }.flatMap { type in
      let name = type.information.name
      return [exclusion("lock-\(name)") { type.init() }]
        + (type.information.sharesReads ? [readers("readers-\(name)") { type.init() }] : [])
    }
  }

  /// A writer is alone, and every thread comes in and out: that none is woken would be seen, as all would wait.
  static func exclusion(
    _ name: String, isFaulty: Bool = false, _ make: @escaping () -> any CacheLock
  ) -> Scenario {
    Scenario(name, isFaulty: isFaulty) {
      let lock = make()
      var (writers, readers, changes, expected) = (0, 0, 0, 0)
      // Waiters that ask for a while and then sleep do so only if it is held for long.
      let length = Exploration.draw(below: 2) == 0 ? 1 : 60
      func write() {
        writers += 1
        Exploration.require(writers == 1 && readers == 0, "a writer is not alone")
        let before = changes
        for _ in 0..<length { Exploration.point("write") }
        changes = before + 1
        writers -= 1
      }
      func read() {
        readers += 1
        Exploration.require(writers == 0, "a reader is inside beside a writer")
        for _ in 0..<length { Exploration.point("read") }
        readers -= 1
      }
      Exploration.threads(3) { _ in
        for _ in 0..<2 {
          switch (Exploration.draw(below: 4), lock as? any TryableLock) {
          case (0, _): lock.withSharedLock(read)
          case (1, let lock?): if lock.withLockIfAvailable(write) { expected += 1 }
          case (2, let lock?): _ = lock.withSharedLockIfAvailable(read)
          default:
            lock.withLock(write)
            expected += 1
          }
        }
      }
      Exploration.require(changes == expected, "\(expected) changes, of which \(changes) are left")
      if let lock = lock as? any TryableLock {
        Exploration.require(lock.withLockIfAvailable {}, "all have left, and the lock is not free")
      }
    }
  }

  /// Nothing starves: from the moment at which a thread has reserved the lock, the next to enter is one that has
  /// waited for long.
  static var patience: Scenario {
    Scenario("patience-adaptive") {
      let lock = AdaptiveLock()
      var longWaits = 0
      let length = 1 << Exploration.draw(below: 6)
      Exploration.threads(3) { _ in
        for _ in 0..<20 {
          let isReserved = lock.state.load(ordering: .relaxed) & AdaptiveLock.reserved != 0
          let earlier = longWaits
          let start = Exploration.clock
          lock.withLock {
            let hasWaitedLong = Exploration.clock - start > AdaptiveLock.patience
            Exploration.require(
              !isReserved || hasWaitedLong || longWaits > earlier,
              "a thread overtakes one that has reserved the lock")
            if hasWaitedLong { longWaits += 1 }
            for _ in 0..<length { Exploration.point("write") }
          }
        }
      }
    }
  }

  /// Two readers wait for each other inside.
  private static func readers(_ name: String, _ make: @escaping () -> any CacheLock) -> Scenario {
    Scenario(name) {
      let lock = make()
      var inside = 0
      Exploration.threads(2) { _ in
        lock.withSharedLock {
          inside += 1
          Exploration.wait("for the other reader") { inside == 2 }
        }
        lock.withLock {}
      }
    }
  }
}
