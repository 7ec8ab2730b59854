import CSQLite
import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// Stores that another coder or another version wrote.
@Suite struct StoreFormatTests {
  private let folder = TemporaryFolder()

  private func sql(_ text: String) {
    var database: OpaquePointer?
    sqlite3_open("\(folder.store)/manifest.sqlite", &database)
    #expect(sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
  }

  private func open<Value>(
    _ coder: ValueCoder<Value>, _ incompatible: StoreOptions.Incompatible = .refuse,
    _ sharing: StoreOptions.Sharing = .exclusive
  ) throws -> DiskCache<String, Value> {
    var options = DiskSetup()
    options.store.incompatible = incompatible
    options.store.sharing = sharing
    return try DiskCache<String, Value>.open(
      path: folder.store, policy: .lru, options: options, coder: coder)
  }

  private func fill(_ sharing: StoreOptions.Sharing = .exclusive) throws {
    let cache = try open(.text, .refuse, sharing)
    try cache.set("42", forKey: "a")
    try cache.set(String(repeating: "4", count: 50_000), forKey: "b")
    cache.close()
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func noCoderDecodesWhatAnotherWrote(_ sharing: StoreOptions.Sharing) throws {
    try fill(sharing)
    let numbers = ValueCoder<Int>.json
    let error = #expect(throws: DiskCacheError.self) { try open(numbers, .refuse, sharing) }
    #expect(
      error?.description
        == "\(folder.store)/manifest.sqlite: its values have the format “text”, not “json”;"
        + " choose another folder, or have the option incompatible begin it anew")
    #expect(try open(ValueCoder<String>.text, .refuse, sharing).value(forKey: "a") == "42")
  }

  private struct Page: Codable {
    var title: String
  }

  private struct AuthoredPage: Codable {
    var title: String
    var author: String
  }

  private func openPages<Value: Codable & Sendable>(
    of _: Value.Type, _ format: String?
  ) throws -> DiskCache<String, Value> {
    var options = DiskSetup()
    options.store.format = format
    return try DiskCache<String, Value>.open(
      path: folder.store, policy: .lru, options: options, coder: .json)
  }

  /// As the guide says: the type has changed, and its coder has not.
  @Test func aFormatThatIsNamedAnewKeepsWhatTheTypeBeforeWrote() throws {
    let old = try openPages(of: Page.self, nil)
    try old.set(Page(title: "News"), forKey: "a")
    old.close()
    #expect(throws: DiskCacheError.self) { try openPages(of: AuthoredPage.self, "page 2") }
    let rolledBack = try openPages(of: Page.self, nil)
    #expect(try rolledBack.value(forKey: "a")?.title == "News")
    rolledBack.close()
    // Under the same name its entry is deleted.
    let unnamed = try openPages(of: AuthoredPage.self, nil)
    #expect(try unnamed.value(forKey: "a") == nil)
    #expect(unnamed.undecodableValues == 1)
    unnamed.close()
    #expect(try openPages(of: Page.self, nil).value(forKey: "a") == nil)
  }

  @Test(arguments: StoreOptions.Sharing.allCases)
  func aStoreOfAnotherCoderIsBegunAnewOnRequest(_ sharing: StoreOptions.Sharing) throws {
    try fill(sharing)
    let cache = try open(ValueCoder<Int>.json, .beginAnew, sharing)
    #expect(try cache.count == 0)
    #expect(try cache.value(forKey: "a") == nil)
    try cache.set(7, forKey: "a")
    cache.waitForBackgroundWork()
    #expect(folder.files() == [])
    #expect(try cache.check().isClean)
    cache.close()
    #expect(try open(ValueCoder<Int>.json).value(forKey: "a") == 7)
  }

  /// The other process would have entries removed that it can read.
  @Test func aStoreThatAnotherUsesIsNotBegunAnew() throws {
    let options = StoreOptions.testing {
      $0.sharing = .shared
      $0.format = "text"
    }
    let other = try HybridStore(path: folder.store, options: options)
    try other.put([1], forKey: "a")
    #expect(throws: DiskCacheError.self) { try open(ValueCoder<Int>.json, .beginAnew, .shared) }
    #expect(try other.get("a")?.bytes == [1])
  }

  @Test func aStoreOfAnotherVersionIsBegunAnewOnRequest() throws {
    try fill()
    sql("PRAGMA user_version = 9")
    #expect(throws: DiskCacheError.self) { try open(ValueCoder<String>.text) }
    let cache = try open(ValueCoder<String>.text, .beginAnew)
    #expect(try cache.count == 0)
    try cache.set("new", forKey: "a")
    cache.close()
    #expect(try open(ValueCoder<String>.text).value(forKey: "a") == "new")
  }

  /// A database of the version before, or of a store that was opened without a format, takes the first one's.
  @Test(arguments: ["DROP TABLE format; PRAGMA user_version = 2", "DELETE FROM format"])
  func aStoreWithoutAFormatTakesTheFirst(change: String) throws {
    try fill()
    sql(change)
    var cache: DiskCache<String, String>? = try open(.text)
    #expect(try cache?.value(forKey: "a") == "42")
    cache?.close()
    cache = nil
    #expect(throws: DiskCacheError.self) { try open(ValueCoder<Int>.json) }
    // Without a format, any.
    #expect(try HybridStore(path: folder.store).count == 2)
  }

  @Test func anotherDatabaseIsNeverBegunAnew() throws {
    try folder.write([], to: "manifest.sqlite")
    sql("CREATE TABLE other (x)")
    let error = #expect(throws: DiskCacheError.self) {
      try open(ValueCoder<String>.text, .beginAnew)
    }
    guard case .store(.foreign) = error else { throw error! }
  }
}
