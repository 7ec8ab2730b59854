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
        "/c: cannot make a folder: permission denied; check its permissions"
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
        .foreign(path: "/c", problem: "the folder has other things in it and is no store"),
        "/c: the folder has other things in it and is no store; choose another folder"
      ),
      (
        .unshareable(path: "/c"),
        "/c: the file system keeps no write-ahead log for several processes; open the store as"
          + " exclusive, or choose a folder on a local disk"
      ),
      (
        .incompatible(path: "/c", problem: "the database is of version 9, not 3"),
        "/c: the database is of version 9, not 3; choose another folder, or have the option"
          + " incompatible begin it anew"
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
    for number in [0, -1, 1 << 20 + 1, 1 << 60, .max] {
      try refuses("touchesPerFlush: must be 1 to 1048576") { $0.touchesPerFlush = number }
    }
    for seconds in [.nan, 0, -1, .infinity, 86_401] {
      try refuses("secondsPerFlush: must be more than 0 and at most 86400 seconds") {
        $0.secondsPerFlush = seconds
      }
    }
    for bytes in [-1, 10, 1 << 40 + 1, .max] {
      try refuses("logLimit: must be 64 KiB to 1 TiB") { $0.logLimit = bytes }
    }
    for bytes in [-1, 1 << 40 + 1, .max, .min] {
      try refuses("pageCache: must be 0 bytes to 1 TiB") { $0.pageCache = bytes }
      try refuses("mappedBytes: must be 0 bytes to 1 TiB") { $0.mappedBytes = bytes }
    }
    try refuses("pageSize: must be a power of two from 512 to 65536 bytes") {
      $0.pageSize = .min
    }
    for mode in [0, 0o400, 0o644 | 1, 0o1600, -1, .max] {
      try refuses("fileMode: must let the owner read and write, and no one execute") {
        $0.fileMode = mode
      }
    }
    try refuses("setAsidesKept: must be 0 or more") { $0.setAsidesKept = -1 }
    try refuses("orphanGrace: must be 0 or more seconds") { $0.orphanGrace = .nan }
    try refuses("busyTimeout: must be 0 to 86400 seconds") { $0.busyTimeout = .infinity }
    try refuses("orphanGrace: must be 0 or more seconds") { $0.orphanGrace = -1 }
  }

  /// The largest numbers that are allowed do no harm.
  @Test(arguments: StoreOptions.Sharing.allCases)
  func theLargestOptionsWork(sharing: StoreOptions.Sharing) throws {
    let folder = TemporaryFolder()
    var options = StoreOptions()
    options.sharing = sharing
    options.inlineThreshold = .max
    options.touchesPerFlush = 1 << 20
    options.secondsPerFlush = 86_400
    options.logLimit = 1 << 40
    options.pageSize = 65_536
    options.pageCache = 1 << 40
    options.mappedBytes = 1 << 40
    options.busyTimeout = 86_400
    options.orphanGrace = .infinity
    options.setAsidesKept = .max
    let store = try HybridStore(path: folder.store, options: options)
    try store.put([1], forKey: "a")
    #expect(try store.get("a", touching: true)?.bytes == [1])
    #expect(try store.check(repair: true).isClean)
    try store.close()
    try Data("no database".utf8).write(to: URL(fileURLWithPath: folder.store + "/manifest.sqlite"))
    #expect(try HybridStore(path: folder.store, options: options).count == 0)
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
