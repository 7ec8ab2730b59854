import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// Paths where no store can be: each is refused with its reason, and nothing is left behind.
@Suite struct StorePathTests {
  private let folder = TemporaryFolder()

  private func content() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
  }

  /// SQLite opens paths of up to 504 bytes.
  @Test func aPathThatIsTooLongForSQLiteIsRefused() throws {
    let real = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    var path = real
    while path.utf8.count < 420 { path += "/" + String(repeating: "x", count: 60) }
    path += "/"
    let fits = path + String(repeating: "y", count: 488 - path.utf8.count)
    for length in [489, 500, 512, 700] {
      let long = fits + String(repeating: "y", count: length - 488)
      let error = #expect(throws: StoreError.self) { try HybridStore(path: long) }
      #expect(
        error?.description
          == "\(long): the path has \(length) bytes, more than the 488 that SQLite opens;"
          + " choose a shorter one")
      #expect(throws: DiskCacheError.self) {
        try DiskCache<String, String>.open(path: long, policy: .lru, coder: .text)
      }
      #expect(try content() == [])
    }
    let store = try HybridStore(path: fits)
    try store.put([1], forKey: "a")
    try store.close()
    // A short link to it is as long.
    let long = fits + "/more"
    try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: false)
    #expect(symlink(long, folder.path + "/link") == 0)
    #expect(throws: StoreError.self) { try HybridStore(path: folder.path + "/link") }
    #expect(throws: StoreError.self) { try HybridStore(path: folder.path + "/link/deep/down") }
  }

  @Test func aFolderThatCannotBeMadeLeavesNoneAbove() throws {
    let name = String(repeating: "x", count: 256)
    #expect(throws: StoreError.self) { try HybridStore(path: folder.path + "/a/b/" + name) }
    #expect(try content() == [])
  }

  @Test func aLinkThatLeadsNowhereIsNamed() throws {
    #expect(symlink(folder.path + "/nowhere", folder.store) == 0)
    for path in [folder.store, folder.store + "/deeper"] {
      let error = #expect(throws: StoreError.self) { try HybridStore(path: path) }
      #expect(error?.description == "\(folder.store): a link that leads nowhere; remove it")
    }
  }

  /// It would be the current folder.
  @Test("F12: an empty path is refused") func anEmptyPathIsRefused() throws {
    let error = #expect(throws: DiskCacheError.self) {
      try DiskCache<String, String>.open(path: "", policy: .lru, coder: .text)
    }
    #expect(error?.description == "path: must name a folder")
  }

  /// Root may write whatever the permissions are.
  @Test(.enabled(if: geteuid() != 0)) func aDatabaseThatMayNotBeWrittenIsNamed() throws {
    try HybridStore(path: folder.store).close()
    chmod(folder.store + "/manifest.sqlite", 0o400)
    let error = #expect(throws: StoreError.self) { try HybridStore(path: folder.store) }
    #expect(
      error?.description
        == "\(folder.store)/manifest.sqlite: cannot open the database for writing:"
        + " permission denied; check its permissions")
  }
}
