import DiskTier
import Foundation
import StoreFaults
import Testing

/// Permissions of the files that a store writes.
@Suite struct StorePermissionTests {
  /// The permissions of the store's folder and of everything in it, by kind.
  private func permissions(_ folder: TemporaryFolder) -> (files: Set<Int>, folders: Set<Int>) {
    let names =
      FileManager.default.enumerator(atPath: folder.store)?
      .compactMap { $0 as? String } ?? []
    var files: Set<Int> = []
    var folders: Set<Int> = []
    for path in [folder.store] + names.map({ "\(folder.store)/\($0)" }) {
      var status = stat()
      if lstat(path, &status) < 0 { continue }
      let mode = Int(status.st_mode & 0o7777)
      if status.st_mode & S_IFMT == S_IFDIR { folders.insert(mode) } else { files.insert(mode) }
    }
    return (files, folders)
  }

  private static func fill(_ store: HybridStore) throws {
    for key in 0..<9 { try store.put(bytes(key), forKey: "\(key)") }
  }

  @Test(arguments: StoreOptions.Sharing.allCases, [0o600, 0o660, 0o644])
  func filesAndFoldersHaveThePermissionsThatWereAskedFor(
    sharing: StoreOptions.Sharing, mode: Int
  ) throws {
    let folder = TemporaryFolder()
    let options = StoreOptions.testing {
      $0.sharing = sharing
      $0.fileMode = mode
    }
    let store = try HybridStore(path: folder.store, options: options)
    try Self.fill(store)
    #expect(folder.exists("manifest.sqlite-wal"))
    let found = permissions(folder)
    #expect(found.files == [mode])
    #expect(found.folders == [[0o600: 0o700, 0o660: 0o770, 0o644: 0o755][mode]!])
    try store.close()
    // A new database, and what was set aside.
    try folder.write(Array("no database".utf8), to: "manifest.sqlite")
    let again = try HybridStore(path: folder.store, options: options)
    try Self.fill(again)
    #expect(again.statistics.setAsides == 1)
    #expect(permissions(folder).files == [mode])
  }

  @Test func theOwnerAloneReadsByDefault() throws {
    let folder = TemporaryFolder()
    let store = try HybridStore(path: folder.store)
    try store.put([UInt8](repeating: 1, count: 50_000), forKey: "a")
    #expect(permissions(folder) == ([0o600], [0o700]))
  }

  /// The umask is a process's, so that another process asks.
  @Test(arguments: ["000", "022", "077", "377"]) func theUmaskChangesNothing(mask: String) throws {
    let folder = TemporaryFolder()
    let worker = try Worker(
      [folder.store, folder.path + "/log", "1", "40", "0", "9", "process-crash", "60"], umask: mask)
    worker.wait()
    #expect(folder.exists("manifest.sqlite"))
    #expect(permissions(folder) == ([0o600], [0o700]))
  }
}
