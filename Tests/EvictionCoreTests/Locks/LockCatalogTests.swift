import Eviction
import Foundation
import Testing

@Suite("The lock catalog")
struct LockCatalogTests {
  @Test("lists every file of the locks' folder")
  func everyFileIsRegistered() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().appending(
      path: "../../../../Sources/EvictionCore/Locks")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.standardized.path)
    let locks = files.filter { $0.hasSuffix("Lock.swift") && $0 != "CacheLock.swift" }
    let registered = LockCatalog.all.map {
      "\($0)".split(separator: ".").last.map { "\($0).swift" }
    }
    #expect(Set(registered) == Set(locks))
    #expect(registered.count == locks.count)
  }

  @Test("gives every lock a name of its own, by which it is found")
  func namesAreUnique() {
    for lock in LockCatalog.all {
      #expect(LockCatalog.lock(named: lock.information.name) == lock)
      #expect(!lock.information.summary.isEmpty)
    }
    #expect(LockCatalog.lock(named: "no such lock") == nil)
  }
}
