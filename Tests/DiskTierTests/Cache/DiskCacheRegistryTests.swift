import DiskTier
import Dispatch
import Eviction
import Foundation
import Synchronization
import Testing

struct DiskCacheRegistryTests {
  private let folder = TemporaryFolder()

  @Test func aPathHasOneCacheHoweverItIsSpelled() throws {
    let cache = try DiskCache<String, Int>.open(path: folder.store, policy: .lru, coder: .json)
    let same = try DiskCache<String, Int>.open(
      path: folder.path + "/./none/../store/", policy: .lru, coder: .json)
    #expect(cache === same)
  }

  @Test func threadsThatOpenAtOnceGetOneCache() throws {
    let path = folder.store
    for _ in 0..<10 {
      let caches = Mutex<[DiskCache<String, Int>]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if let cache = try? DiskCache<String, Int>.open(path: path, policy: .lru, coder: .json) {
          caches.withLock { $0.append(cache) }
        }
      }
      let opened = caches.withLock { $0 }
      #expect(opened.count == 8)
      #expect(Set(opened.map(ObjectIdentifier.init)).count == 1)
    }
  }

  @Test func openingWaitsForTheLastUserToBeGone() throws {
    let path = folder.store
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for _ in 0..<10 {
        do {
          let cache = try DiskCache<String, Int>.open(path: path, policy: .lru, coder: .json)
          try cache.set(thread, forKey: "a")
        } catch { Issue.record("\(error)") }
      }
    }
  }

  @Test func openingWaitsForAClosingToBeOver() throws {
    let path = folder.store
    for round in 0..<20 {
      let cache = try DiskCache<String, Int>.open(path: path, policy: .lru, coder: .json)
      // The pool's threads may all be busy with other tests.
      Thread.detachNewThread { cache.close() }
      for _ in 0..<100_000 {
        if (try? cache.count) == nil { break }
        usleep(100)
      }
      let opened = try DiskCache<String, Int>.open(path: path, policy: .lru, coder: .json)
      #expect(opened !== cache)
      try opened.set(round, forKey: "a")
    }
  }

  @Test func anotherTypeOrCoderIsRefused() throws {
    let cache = try DiskCache<String, String>.open(path: folder.store, policy: .lru, coder: .json)
    withExtendedLifetime(cache) {
      let type = #expect(throws: DiskCacheError.self) {
        try DiskCache<String, String>.open(path: folder.store, policy: .fifo, coder: .json)
      }
      #expect(
        "\(type!)"
          == "\(cache.path): already open with the policy lru; open it alike, or close it first")
      let coder = #expect(throws: DiskCacheError.self) {
        try DiskCache<String, String>.open(path: folder.store, policy: .lru, coder: .text)
      }
      #expect("\(coder!)".contains("the coder “json”"))
    }
    cache.close()
    _ = try DiskCache<String, String>.open(path: folder.store, policy: .fifo, coder: .json)
  }

  @Test func anOpeningThatFailedLeavesThePathFree() throws {
    _ = FileManager.default.createFile(atPath: folder.store, contents: Data())
    #expect(throws: DiskCacheError.self) {
      try DiskCache<String, Int>.open(path: folder.store, policy: .lru, coder: .json)
    }
    try FileManager.default.removeItem(atPath: folder.store)
    _ = try DiskCache<String, Int>.open(path: folder.store, policy: .lru, coder: .json)
  }

  private func openSet(
    _ configure: (inout DiskSetup) -> Void = { _ in }, policy: CachePolicy = .lru
  ) throws -> DiskCache<String, Int> {
    var setup = DiskSetup()
    setup.countLimit = 10
    configure(&setup)
    return try DiskCache<String, Int>.open(
      path: folder.store, policy: policy, options: setup, coder: .json)
  }

  private func difference(
    _ configure: (inout DiskSetup) -> Void = { _ in }, policy: CachePolicy = .lru
  ) -> String? {
    do throws(DiskCacheError) {
      do { _ = try openSet(configure, policy: policy) } catch let error as DiskCacheError {
        throw error
      } catch { return "\(error)" }
      return nil
    } catch {
      if case .openOtherwise(_, let difference) = error { return difference }
      return "\(error)"
    }
  }

  @Test func aPathThatIsOpenIsOpenedAlike() throws {
    let cache = try openSet()
    try cache.setLimits(count: 5, cost: nil)
    #expect(try openSet() === cache)
    #expect(cache.countLimit == 5)
    #expect(difference { $0.countLimit = 20 } == "the count limit 10")
    #expect(difference { $0.countLimit = nil } == "the count limit 10")
    #expect(difference { $0.costLimit = 20 } == "no cost limit")
    #expect(difference { $0.seed = 7 } == "no seed")
    #expect(difference { $0.admission = .tinyLFU() } == "no admission filter")
    #expect(difference(policy: .fifo) == "the policy lru")
    #expect(difference { $0.ageLimit = .seconds(1) } == "no ageLimit")
    #expect(difference { $0.freeSpaceFloor = 1 } == "the freeSpaceFloor 0")
    #expect(difference { $0.trimInterval = nil } == "the trimInterval 60.0 seconds")
    #expect(difference { $0.accessRecording = .never } == "the accessRecording automatic")
    #expect(difference { $0.store.sharing = .shared } == "the sharing exclusive")
    #expect(difference { $0.store.durability = .none } == "the durability processCrash")
    #expect(difference { $0.onFailedWrite = { _, _ in } } == "no onFailedWrite")
    #expect(difference { $0.expiration = .after(.seconds(1)) }?.contains("expiration") == true)
    #expect(difference() == nil)
    cache.close()
    #expect(try openSet { $0.countLimit = 20 }.countLimit == 20)
  }

  @Test func anotherParameterOfAPolicyIsRefused() throws {
    let cache = try openSet(policy: .slru(protected: 0.5))
    #expect(difference(policy: .slru(protected: 0.8)) == "the policy slru:protected=0.5")
    withExtendedLifetime(cache) {}
  }

  @Test(
    "F9: limits out of their ranges are errors of an opening",
    arguments: StoreOptions.Sharing.allCases)
  func limitsOutOfTheirRangesAreErrors(sharing: StoreOptions.Sharing) throws {
    func problem(_ configure: (inout DiskSetup) -> Void) -> String? {
      difference {
        $0.store.sharing = sharing
        configure(&$0)
      }
    }
    #expect(
      problem { $0.countLimit = -1 } == "countLimit: must be 0 or more, or nil for no limit; is -1")
    #expect(
      problem { $0.costLimit = -1 } == "costLimit: must be 0 or more, or nil for no limit; is -1")
    for interval in [Duration.zero, .seconds(-1)] {
      #expect(
        problem { $0.trimInterval = interval }
          == "trimInterval: must be more than 0 seconds, or nil for never")
    }
    #expect(
      problem { $0.freeSpaceFloor = -1 } == "freeSpaceFloor: must be 0 or more bytes; is -1")
    #expect(problem { $0.loadBacklog = -1 } == "loadBacklog: must be 0 or more bytes; is -1")
    let past = Duration.seconds(-1)
    let sign = "must be 0 seconds or more, or nil for no limit; is \(past)"
    #expect(problem { $0.expiration = .after(past) } == "expiration.timeToLive: \(sign)")
    #expect(problem { $0.ageLimit = past } == "ageLimit: \(sign)")
    #expect(problem { $0.loadWaitLimit = past } == "loadWaitLimit: \(sign)")
    #expect(
      problem { $0.expiration = .after(.seconds(9), jitter: 2) }
        == "expiration.jitter: must be a ratio from 0 to 1; is 2.0")
    #expect(
      problem { $0.expiration = .after(.seconds(9), refreshAfter: .seconds(9)) }?
        .hasPrefix("expiration.refreshAfter: must be less than timeToLive") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.store))
    #expect(problem { $0.countLimit = 0 } == nil)
  }
}
