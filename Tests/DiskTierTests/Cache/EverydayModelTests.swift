import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// Sets, insertions, removals and expirations of caches on disk and in tiers, step by step beside a dictionary.
@Suite struct EverydayModelTests {
  private let folder = TemporaryFolder()

  private struct Modelled {
    var value: Int
    /// In hundreds of seconds, and a half.
    var deadline: Double?
  }

  /// The operations of one kind of cache, by numbers of keys and hundreds of seconds.
  private struct Operations {
    var set: (_ value: Int, _ key: String, Expiration?) throws -> Void
    var insert: (_ value: Int, _ key: String, Expiration?) throws -> (isInserted: Bool, value: Int?)
    var removeValue: (String) throws -> Int?
    var setExpiration: (Expiration, String) throws -> Void
    var timeRemaining: (String) throws -> Duration?
    var value: (String) throws -> Int?
    var peek: (String) throws -> Int?
    /// Writes what waits, as it does not hear of the clock.
    var flush: () throws -> Void
  }

  private func compare(
    clock: MovedClock, seed: UInt64, steps: Int, open: () throws -> Operations
  ) throws {
    var random = SplitMix64(seed: seed)
    var model: [String: Modelled] = [:]
    var now = 10.0
    clock.move(to: 1_000_000_000_000)
    var cache = try open()
    func expiration() -> (Expiration?, Double?) {
      let life = Double(random.index(below: 6)) + 0.5
      if random.index(below: 2) == 0 { return (nil, nil) }
      return (.after(.seconds(100 * life)), now + life)
    }
    for step in 0..<steps {
      let key = "\(random.index(below: 6))"
      let note = "seed \(seed), step \(step), key \(key)"
      if let deadline = model[key]?.deadline, deadline < now { model[key] = nil }
      let before = model[key]
      switch random.index(below: 12) {
      case 0, 1:
        let (expiration, deadline) = expiration()
        try cache.set(step, key, expiration)
        model[key] = Modelled(value: step, deadline: deadline)
      case 2, 3:
        let (expiration, deadline) = expiration()
        let outcome = try cache.insert(step, key, expiration)
        #expect(outcome.isInserted == (before == nil), "\(note)")
        #expect(outcome.value == before?.value ?? step, "\(note)")
        model[key] = before ?? Modelled(value: step, deadline: deadline)
      case 4:
        #expect(try cache.removeValue(key) == before?.value, "\(note)")
        model[key] = nil
      case 5, 6:
        let (expiration, deadline) = expiration()
        try cache.setExpiration(expiration ?? .never, key)
        model[key]?.deadline = deadline
      case 7:
        try cache.setExpiration(.after(.zero), key)
        model[key] = nil
      case 8:
        try cache.flush()
        now += 1
        clock.move(to: Int64(now * 100_000_000_000))
      case 9: #expect(try cache.value(key) == before?.value, "\(note)")
      case 10:
        let left = try cache.timeRemaining(key)
        let expected = before?.deadline.map { ($0 - now) * 100 }
        #expect((left == nil) == (expected == nil), "\(note)")
        if let left, let expected {
          #expect(abs(left / .seconds(1) - expected) < 40, "\(note)")
        }
      default: if random.index(below: 4) == 0 { cache = try open() }
      }
      if let deadline = model[key]?.deadline, deadline < now { model[key] = nil }
      #expect(try cache.peek(key) == model[key]?.value, "\(note)")
    }
  }

  private func environment(_ clock: MovedClock) -> StoreEnvironment {
    var environment = StoreEnvironment()
    environment.entryClock = clock
    environment.now = { Int64(clock.now) }
    return environment
  }

  @Test(arguments: StoreOptions.Sharing.allCases, [1, 2, 3] as [UInt64])
  func diskDoesAsTheModel(sharing: StoreOptions.Sharing, seed: UInt64) throws {
    let clock = MovedClock()
    var latest: DiskCache<String, Int>?
    try compare(clock: clock, seed: seed, steps: 1_500) {
      latest?.close()
      let cache = try folder.openDisk(environment(clock)) {
        $0.store.sharing = sharing
        $0.store.durability = .none
      }
      latest = cache
      return Operations(
        set: { try cache.set($0, forKey: $1, expiration: $2) },
        insert: { try cache.insert($0, forKey: $1, expiration: $2) },
        removeValue: { try cache.removeValue(forKey: $0) },
        setExpiration: { try cache.setExpiration($0, forKey: $1) },
        timeRemaining: { try cache.timeRemaining(forKey: $0) },
        value: { try cache.value(forKey: $0) }, peek: { try cache.peek($0) }, flush: {})
    }
    #expect(try latest?.check().isClean == true)
  }

  @Test(arguments: EverydayOperationsTests.writings, [1, 2, 3] as [UInt64])
  func tiersDoAsTheModel(writing: TieredCacheOptions.Writing, seed: UInt64) throws {
    let clock = MovedClock()
    var latest: TieredCache<String, Int>?
    try compare(clock: clock, seed: seed, steps: 1_500) {
      try latest?.close()
      let disk = try folder.openDisk(environment(clock)) { $0.store.durability = .none }
      var options = TieredSetup()
      options.memoryCountLimit = 3
      options.writing = writing
      options.memory.clock = clock.clock
      if seed == 2 { options.memory.expiration = .after(.seconds(250)) }
      if seed == 3 { options.memory.expiration = .afterIdle(.seconds(150)) }
      let cache = try TieredCache.open(disk: disk, policy: .lru, options: options)
      latest = cache
      return Operations(
        set: { try cache.set($0, forKey: $1, expiration: $2) },
        insert: { try cache.insert($0, forKey: $1, expiration: $2) },
        removeValue: { try cache.removeValue(forKey: $0) },
        setExpiration: { try cache.setExpiration($0, forKey: $1) },
        timeRemaining: { try cache.timeRemaining(forKey: $0) },
        value: { try cache.value(forKey: $0) }, peek: { try cache.peek($0) },
        flush: { try cache.flush() })
    }
    try latest?.flush()
    #expect(try latest?.disk.check().isClean == true)
  }
}
