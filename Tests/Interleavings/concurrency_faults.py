"""Faults to plant in the caches' concurrency, for the explorer of interleavings to find.

A fault is one replacement in a copy of the sources. What it replaces must be there exactly once, so that an edit which
moves it away is noticed: `Tests/Python/test_interleavings.py` looks for all of them in the sources as they are.
"""
from typing import NamedTuple

CORE = "Sources/EvictionCore"


class Fault(NamedTuple):
    """A fault: what it is, the scenario that finds it, its file, and the replacement."""
    name: str
    scenario: str
    file: str
    old: str
    new: str

    def planted(self, text):
        """The file's text with the fault."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.file} has its place {text.count(self.old)} times")
        return text.replace(self.old, self.new)


FAULTS = [
    Fault("a reader enters beside a writer", "buffers-big-reader", f"{CORE}/Locks/BigReaderLock.swift",
          """\
    if !isWriting.load(ordering: .sequentiallyConsistent) { return true }
""", """\
    return true
"""),
    Fault("a writer does not wait for readers", "lock-big-reader", f"{CORE}/Locks/BigReaderLock.swift",
          ".load(ordering: .sequentiallyConsistent) != 0 {", ".load(ordering: .sequentiallyConsistent) > 99 {"),
    Fault("a reader looks for a writer before it counts itself", "lock-big-reader", f"{CORE}/Locks/BigReaderLock.swift",
          """\
    own.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if !isWriting.load(ordering: .sequentiallyConsistent) { return true }
    own.pointee.wrappingSubtract(1, ordering: .releasing)
    return false
""", """\
    if isWriting.load(ordering: .sequentiallyConsistent) { return false }
    own.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    return true
"""),
    Fault("two threads take a spin lock that both saw free", "lock-spin", f"{CORE}/Locks/SpinLock.swift",
          "    while isHeld.exchange(true, ordering: .acquiring) {\n", """\
    defer { isHeld.store(true, ordering: .relaxed) }
    while isHeld.load(ordering: .acquiring) {
"""),
    Fault("a permit comes after the wake-up for it", "lock-adaptive", f"{CORE}/Locks/FutexSemaphore.swift", """\
      word.pointee.wrappingAdd(permits, ordering: .releasing)
      evl_wake(word, Int32(permits))
""", """\
      evl_wake(word, Int32(permits))
      word.pointee.wrappingAdd(permits, ordering: .releasing)
"""),
    Fault("a thread goes to sleep though the lock was given back", "lock-adaptive",
          f"{CORE}/Locks/AdaptiveLock.swift", """\
          guard replace(now, with: (now + AdaptiveLock.sleeper) & ~own) else { continue }
""", """\
          state.wrappingAdd(AdaptiveLock.sleeper, ordering: .relaxed)
          state.bitwiseAnd(~own, ordering: .relaxed)
"""),
    Fault("a lock stays reserved for a thread that has been inside", "lock-adaptive",
          f"{CORE}/Locks/AdaptiveLock.swift", "(isImpatient ? AdaptiveLock.reserved : 0)", "(0 as UInt32)"),
    Fault("a thread enters though another one has reserved the lock", "patience-adaptive",
          f"{CORE}/Locks/AdaptiveLock.swift", "(isImpatient || now & AdaptiveLock.reserved == 0)", "(true)"),
    Fault("a hit is noted after the lock was given back", "cache-buffered-big-reader",
          f"{CORE}/Cache/MemoryCache+BufferedReads.swift", """\
          isFull = touches.recordHit(slot)
        }
      }
    }
""", """\
        }
      }
    }
    if value != nil, let slot = core.pointee.store.find(key, hash: hash) {
      isFull = touches.recordHit(slot)
    }
"""),
    Fault("the ring shows an event before it is written", "ring", f"{CORE}/Observing/EventRing.swift", """\
    words[(end &+ 1) & mask] = event.cost
    self.end.store(end &+ 2, ordering: .releasing)
""", """\
    self.end.store(end &+ 2, ordering: .releasing)
    words[(end &+ 1) & mask] = event.cost
"""),
    Fault("the ring takes one event too many", "ring", f"{CORE}/Observing/EventRing.swift",
          "if end < limit || (end == limit && event.isPlain)", "if end <= limit"),
    Fault("the ring gives room back before it is read", "ring", f"{CORE}/Observing/EventRing.swift",
          "    var given = 0\n", """\
    var given = 0
    self.start.store(start &+ count, ordering: .releasing)
"""),
    Fault("a load is stored after its key was removed", "outdated", f"{CORE}/Cache/MemoryCache+Loading.swift",
          "      if !loads.flights.isCurrent(flight, tagged: entry.tags) { return }\n", ""),
    Fault("a load is published twice", "loads", f"{CORE}/Cache/MemoryCache+Loading.swift", """\
      // Another load may have ended since the key was missed.
      if let value = peek(key) {
        flight.endsWithoutLoad()
        return value
      }
""", ""),
    Fault("who waits misses the landing", "flights", f"{CORE}/Loading/SingleFlight+Flight.swift",
          "        if let result = state.result { return state.isLate(waiter) ? .late : result }\n", ""),
    Fault("a circle closes between the look and the wait", "circle", f"{CORE}/Loading/LoadWait.swift", """\
    let (wait, circle) = waits.withLock { waits -> (LoadWait?, [any Load]) in
      if let circle = waits.circle(of: waiting, awaiting: awaited) { return (nil, circle) }
""", """\
    let early = waits.withLock { $0.circle(of: waiting, awaiting: awaited) }
    let (wait, circle) = waits.withLock { waits -> (LoadWait?, [any Load]) in
      if let early { return (nil, early) }
"""),
    Fault("a thread goes to rest beside new work", "background", f"{CORE}/System/BackgroundThreads.swift", """\
      state.waiting.append(work)
      return state.idle.popLast()
    }
""", """\
      return state.idle.popLast()
    }
    state.withLock { $0.waiting.append(work) }
"""),
]
