import DiskTier
import Foundation
import Testing

@Suite struct StoreErrorTests {
  @Test(
    arguments: [
      (
        StoreError.busy(path: "/c", action: "write an entry"),
        "/c: cannot write an entry: another process keeps it busy; try again or raise busyTimeout"
      ),
      (
        .full(path: "/c/x", action: "write a value"),
        "/c/x: cannot write a value: no space left; free some space or remove entries"
      ),
      (
        .io(path: "/c", action: "read a value", code: EIO),
        "/c: cannot read a value: input/output error; check the disk and the path"
      ),
      (
        .io(path: "/c", action: "make a folder", code: EACCES),
        "/c: cannot make a folder: permission denied; ask for permission to it"
      ),
      (
        .database(path: "/c", action: "read an entry", code: 266),
        "/c: cannot read an entry: SQLite error 266, disk I/O error; check the disk and the path"
      ),
      (
        .corrupt(path: "/c", problem: "file is not a database"),
        "/c: file is not a database, and other processes use it; close them all and open it again"
      ),
      (
        .tooLarge(what: "row", bytes: 12, limit: 10),
        "a row of 12 bytes: more than the 10 that the store can hold; split it"
      ),
    ])
  func anErrorIsOneLine(error: StoreError, line: String) { #expect(error.description == line) }

  @Test func aStoreIsOpenOnceUnlessShared() throws {
    let folder = TemporaryFolder()
    var options = StoreOptions()
    let store = try HybridStore(path: folder.store, options: options)
    let error = #expect(throws: StoreError.inUse(path: folder.store)) {
      try HybridStore(path: folder.store, options: options)
    }
    #expect(
      error?.description
        == "\(folder.store): the store is open elsewhere; close it there, or open it as shared"
        + " everywhere")
    options.sharing = .shared
    #expect(throws: StoreError.inUse(path: folder.store)) {
      try HybridStore(path: folder.store, options: options)
    }
    try store.close()
    let first = try HybridStore(path: folder.store, options: options)
    let second = try HybridStore(path: folder.store, options: options)
    try first.put([1], forKey: "a")
    #expect(try second.get("a")?.bytes == [1])
  }

  @Test func anOptionOutOfItsRangeIsRefused() throws {
    try refuses("inlineThreshold: must be 0 or more bytes") { $0.inlineThreshold = -1 }
    try refuses("touchesPerFlush: must be 1 or more") { $0.touchesPerFlush = 0 }
    try refuses("secondsPerFlush: must be more than 0 seconds") { $0.secondsPerFlush = .nan }
    try refuses("logLimit: must be 64 KiB or more") { $0.logLimit = 10 }
    try refuses("pageCache: must be 0 or more bytes") { $0.pageCache = -1 }
    try refuses("mappedBytes: must be 0 or more bytes") { $0.mappedBytes = -1 }
    try refuses("busyTimeout: must be 0 to 86400 seconds") { $0.busyTimeout = .infinity }
    try refuses("orphanGrace: must be 0 or more seconds") { $0.orphanGrace = -1 }
  }

  private func refuses(_ line: String, _ change: (inout StoreOptions) -> Void) throws {
    let folder = TemporaryFolder()
    var options = StoreOptions()
    change(&options)
    let error = #expect(throws: StoreError.self) {
      try HybridStore(path: folder.store, options: options)
    }
    #expect(error?.description == line)
    #expect(!folder.exists(""))
  }

  @Test func aPathIsNotEmpty() {
    let error = #expect(throws: StoreError.self) { try HybridStore(path: "") }
    #expect(error?.description == "path: must name a folder")
  }

  @Test func aPathThatIsAFileIsAnError() throws {
    let folder = TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.store))
    let error = #expect(throws: StoreError.self) {
      try HybridStore(path: folder.store + "/below")
    }
    #expect(
      error?.description
        == "\(folder.store)/below: cannot make a folder: not a directory;"
        + " check the disk and the path")
  }

  @Test func aRowThatSQLiteCannotHoldIsRefused() throws {
    let folder = TemporaryFolder()
    var options = StoreOptions()
    options.inlineThreshold = .max
    let store = try HybridStore(path: folder.store, options: options)
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: HybridStore.rowLimit, alignment: 16)
    defer { bytes.deallocate() }
    #expect(
      throws: StoreError.tooLarge(
        what: "row", bytes: HybridStore.rowLimit + 1, limit: HybridStore.rowLimit)
    ) {
      try store.put(UnsafeRawBufferPointer(bytes), forKey: "a")
    }
    #expect(try store.count == 0)
  }
}
