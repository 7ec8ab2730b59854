import Eviction
import Synchronization
import Testing

@Suite("Memory in parts for threads")
struct ThreadStripesTests {
  @Test("gives threads that run at the same time different parts, and each its own again")
  func parts() {
    let stripes = ThreadStripes(bytes: 8)
    defer { stripes.deallocate() }
    let found = Mutex<Set<UInt>>([])
    let wrong = Counter()
    _ = ThreadGang.run(8) { _, start in
      _ = start()
      let own = stripes.own
      if stripes.own != own { wrong.add() }
      let part = UInt(bitPattern: own)
      found.withLock { _ = $0.insert(part) }
    }
    #expect(wrong.value == 0)
    #expect(found.withLock(\.count) > 1)
  }
}
