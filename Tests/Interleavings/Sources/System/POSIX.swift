import Glibc
import Interleaving

// Twins of the C functions with which the caches' threads wait. The linker sends calls of `name` to `__wrap_name`; where
// there is a state, it is kept here, by address.

@_cdecl("evl_pause") func pause() { Exploration.pause() }

@_cdecl("evl_thread_number") func threadNumber() -> UInt32 { UInt32(Exploration.thread + 1) }

@_cdecl("__wrap_sched_yield") func yield() -> Int32 {
  Exploration.yield("yield")
  return 0
}

/// The threads that sleep at each word.
nonisolated(unsafe) private var sleepers: [UnsafeRawPointer: [Sleeper]] = [:]

private final class Sleeper { var isAwake = false }

/// Wakes at times without a reason, as the kernel may.
@_cdecl("evl_sleep_while") func sleep(_ word: UnsafePointer<UInt32>, _ value: UInt32) {
  Exploration.point("sleep")
  if word.pointee != value || Exploration.draw(below: 16) == 0 { return }
  let sleeper = Sleeper()
  sleepers[word, default: []].append(sleeper)
  Exploration.wait("asleep") { sleeper.isAwake }
}

@_cdecl("evl_wake") func wake(_ word: UnsafePointer<UInt32>, _ count: Int32) {
  Exploration.point("wake")
  let asleep = sleepers.removeValue(forKey: word) ?? []
  for sleeper in asleep.prefix(Int(count)) { sleeper.isAwake = true }
  if asleep.count > count { sleepers[word] = Array(asleep.dropFirst(Int(count))) }
  Exploration.point("go on")
}

/// Every machine has two processors.
@_cdecl("__wrap_sysconf") func configuration(_ name: Int32) -> Int {
  name == Int32(_SC_NPROCESSORS_ONLN) ? 2 : realConfiguration(name)
}

@_silgen_name("__real_sysconf") private func realConfiguration(_ name: Int32) -> Int

@_cdecl("__wrap_clock_gettime")
func clock(_ clock: Int32, _ time: UnsafeMutablePointer<timespec>) -> Int32 {
  let now = Int(Exploration.clock)
  time.pointee = timespec(tv_sec: now / 1_000_000_000, tv_nsec: now % 1_000_000_000)
  return 0
}

/// The threads inside a lock: a writer, or readers.
private struct Holders {
  var readers = 0
  var isWritten = false

  nonisolated(unsafe) static var all: [UnsafeRawPointer: Holders] = [:]

  static func take(
    _ lock: UnsafeRawPointer, _ operation: StaticString, waits: Bool, shared: Bool
  ) -> Int32 {
    func isFree() -> Bool {
      guard let holders = all[lock] else { return true }
      return shared ? !holders.isWritten : false
    }
    if waits { Exploration.wait(operation, for: isFree) } else { Exploration.point(operation) }
    if !isFree() { return EBUSY }
    if shared {
      all[lock, default: Holders()].readers += 1
    } else {
      all[lock] = Holders(isWritten: true)
    }
    Exploration.point("locked")
    return 0
  }

  static func leave(_ lock: UnsafeRawPointer) -> Int32 {
    Exploration.point("unlock")
    var holders = all[lock] ?? Holders()
    if holders.isWritten { holders.isWritten = false } else { holders.readers -= 1 }
    all[lock] = holders.readers == 0 ? nil : holders
    Exploration.point("go on")
    return 0
  }
}

@_cdecl("__wrap_pthread_mutex_lock") func lock(_ lock: UnsafeRawPointer) -> Int32 {
  Holders.take(lock, "lock", waits: true, shared: false)
}

@_cdecl("__wrap_pthread_mutex_trylock") func tryLock(_ lock: UnsafeRawPointer) -> Int32 {
  Holders.take(lock, "try to lock", waits: false, shared: false)
}

@_cdecl("__wrap_pthread_mutex_unlock") func unlock(_ lock: UnsafeRawPointer) -> Int32 {
  Holders.leave(lock)
}

@_cdecl("__wrap_pthread_rwlock_wrlock") func writeLock(_ lock: UnsafeRawPointer) -> Int32 {
  Holders.take(lock, "lock", waits: true, shared: false)
}

@_cdecl("__wrap_pthread_rwlock_rdlock") func readLock(_ lock: UnsafeRawPointer) -> Int32 {
  Holders.take(lock, "lock to read", waits: true, shared: true)
}

@_cdecl("__wrap_pthread_rwlock_trywrlock") func tryWriteLock(_ lock: UnsafeRawPointer) -> Int32 {
  Holders.take(lock, "try to lock", waits: false, shared: false)
}

@_cdecl("__wrap_pthread_rwlock_tryrdlock") func tryReadLock(_ lock: UnsafeRawPointer) -> Int32 {
  Holders.take(lock, "try to lock to read", waits: false, shared: true)
}

@_cdecl("__wrap_pthread_rwlock_unlock") func unlockEither(_ lock: UnsafeRawPointer) -> Int32 {
  Holders.leave(lock)
}
