import DiskTier
import Eviction
import Testing

/// What the README shows.
struct ReadmeDiskTests {
  private struct Page: Codable, Equatable, Sendable {
    var text: String
  }

  private func download(_ path: String) async throws -> Page? { Page(text: path) }

  @Test func cachesOnDisk() async throws {
    let folder = TemporaryFolder()
    let page = Page(text: "home")
    var diskOptions = DiskCacheOptions()
    diskOptions.costLimit = 512 << 20
    let disk = try DiskCache<String, Page>.open(path: folder.store, policy: .sieve, options: diskOptions)
    try await disk.set(page, forKey: "/", expiration: .after(.seconds(3_600)))
    let home = try await disk.value(forKey: "/")
    #expect(home == page)

    var tieredOptions = TieredCacheOptions()
    tieredOptions.memoryCountLimit = 1_000
    tieredOptions.negativeTimeToLive = .seconds(5)
    let pages = try TieredCache<String, Page>.open(disk: disk, policy: .arc(), options: tieredOptions)
    let about = try await pages.value(forKey: "/about") { try await download("/about") }
    #expect(about?.text == "/about")
  }
}
