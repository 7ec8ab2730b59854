import Eviction
import Testing

@Suite("Content that may be discarded")
struct DiscardableContentTests {
  @Test("is in use by its maker, counts users who nest, and goes when the last is out")
  func counter() throws {
    let value = DiscardableValue("photo")
    value.discardContentIfPossible()
    #expect(try value.content() == "photo")
    #expect(value.beginContentAccess())
    try value.endContentAccess()
    value.discardContentIfPossible()
    #expect(!value.isContentDiscarded, "its maker still uses it")
    try value.endContentAccess()
    value.discardContentIfPossible()
    #expect(value.isContentDiscarded)
    #expect(!value.beginContentAccess())
    #expect(try value.withContent { $0 } == nil)
  }

  @Test("is not for those who did not begin to use it")
  func errors() throws {
    func problem(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "none"
      } catch { return "\(error)" }
    }
    let value = DiscardableValue(1)
    try value.endContentAccess()
    let notAccessed =
      "discardable content: used without a begun access; call beginContentAccess() first"
    #expect(problem { _ = try value.content() } == notAccessed)
    #expect(problem { try value.endContentAccess() } == notAccessed)
    #expect(try value.withContent { $0 + 1 } == 2)
    value.discardContentIfPossible()
    #expect(
      problem { _ = try value.content() }
        == "discardable content: it was discarded; make it again")
  }

  typealias Photo = DiscardableValue<String>

  func unused(_ text: String) throws -> Photo {
    let photo = Photo(text)
    try photo.endContentAccess()
    return photo
  }

  @Test("leaves a cache by itself when it is discarded")
  func leavesByItself() throws {
    let removals = Removals<Photo>()
    let cache = MemoryCache<Int, Photo>(policy: .lru, onRemoval: { removals.append($0, $1, $2) })
    let photo = try unused("a")
    cache.set(photo, forKey: 1, cost: 5)
    cache.set(photo, forKey: 2, cost: 5)
    cache.set(try unused("b"), forKey: 3, cost: 5)
    photo.discardContentIfPossible()
    #expect(removals.takeTexts().sorted() == ["1 discarded", "2 discarded"])
    #expect(cache.count == 1 && cache.totalCost == 5)
    #expect(cache.statistics.discards == 2)
    cache.set(photo, forKey: 4)
    #expect(!cache.contains(4), "it was discarded before")
  }

  @Test("is asked to go when it leaves a cache, but not when it is set again")
  func discardedOnLeaving() throws {
    let cache = MemoryCache<Int, Photo>(countLimit: 1, policy: .lru)
    let photo = try unused("a")
    let used = Photo("b")
    cache.set(photo, forKey: 1)
    cache.set(photo, forKey: 1)
    #expect(!photo.isContentDiscarded && cache.contains(1))
    cache.set(used, forKey: 2)
    #expect(photo.isContentDiscarded)
    cache.removeAll()
    #expect(!used.isContentDiscarded)
  }

  /// Content that tells nobody.
  final class Silent: DiscardableContent {
    let value = DiscardableValue(1)
    func beginContentAccess() -> Bool { value.beginContentAccess() }
    func endContentAccess() throws(DiscardableContentError) { try value.endContentAccess() }
    func discardContentIfPossible() { value.discardContentIfPossible() }
    var isContentDiscarded: Bool { value.isContentDiscarded }
  }

  @Test("is noticed at the next look if it tells nobody")
  func noticed() throws {
    let cache = MemoryCache<Int, Silent>(policy: .lru)
    let contents = (1...4).map { _ in Silent() }
    for (key, content) in contents.enumerated() {
      try content.endContentAccess()
      cache.set(content, forKey: key)
    }
    for content in contents.prefix(3) { content.discardContentIfPossible() }
    #expect(cache.value(forKey: 0) == nil && !cache.contains(1))
    #expect(cache.snapshot().count == 1)
    #expect(cache.trim() == 2)
    #expect(cache.statistics.discards == 3 && cache.count == 1)
  }
}
