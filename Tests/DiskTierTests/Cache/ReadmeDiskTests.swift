import DiskTier
import Eviction
import Testing

/// What the README shows.
struct ReadmeDiskTests {
  private struct Page: Codable, Equatable, Sendable {
    var text: String
  }

  private func download(_ path: String) async throws -> Page { Page(text: path) }

  @Test func cachesOnDisk() async throws {
    let folder = TemporaryFolder()
    let page = Page(text: "home")
    let disk = try await DiskCache<String, Page>.open(
      path: folder.store, costLimit: 512 << 20, coder: .json)
    try await disk.set(page, forKey: "/", expiration: .after(.seconds(3_600)))
    let home = try await disk.value(forKey: "/")
    #expect(home == page)

    let pages = try TieredCache.open(disk: disk, countLimit: 1_000, policy: .arc())
    let about = try await pages.value(forKey: "/about") { try await download("/about") }
    #expect(about.text == "/about")
  }
}
