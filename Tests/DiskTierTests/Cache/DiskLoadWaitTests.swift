import DiskTier
import Dispatch
import Eviction
import Testing

private func waitUntil(_ holds: () -> Bool) async throws {
  while !holds() { try await Task.sleep(for: .milliseconds(1)) }
}

@Suite(.timeLimit(.minutes(30)))
struct DiskLoadWaitTests {
  private let folder = TemporaryFolder()
  private let circles = [
    LoadError.circle(keys: ["a", "b", "a"]), LoadError.circle(keys: ["b", "a", "b"]),
  ]

  /// Loads `a` in the first and `b` in the second, each of which wants the other, and returns their errors.
  private func errorsOfACircle(
    _ first: some Cache<String, Int, DiskCacheError>,
    _ second: some Cache<String, Int, DiskCacheError>
  ) async -> [LoadError?] {
    let (one, two) = (Counter(), Counter())
    let tasks = [
      Task {
        try await first.value(forKey: "a") {
          one.increment()
          try await waitUntil { two.count > 0 }
          return try await second.value(forKey: "b") { 1 }
        }
      },
      Task {
        try await second.value(forKey: "b") {
          two.increment()
          try await waitUntil { one.count > 0 }
          return try await first.value(forKey: "a") { 2 }
        }
      },
    ]
    var errors: [LoadError?] = []
    for task in tasks {
      do {
        _ = try await task.value
        errors.append(nil)
      } catch { errors.append(error as? LoadError) }
    }
    return errors
  }

  @Test func loadsThatWantEachOthersKeysThrow() async throws {
    let disk = try await DiskCache<String, Int>.open(path: folder.store, coder: .json)
    let tiered = try TieredCache.open(disk: disk)
    for errors in [
      await errorsOfACircle(disk, disk), await errorsOfACircle(tiered, tiered),
      await errorsOfACircle(tiered, disk),
    ] {
      #expect(errors.count == 2 && errors.allSatisfy { circles.contains($0 ?? .circle(keys: [])) })
    }
    #expect(try await tiered.value(forKey: "a") { 3 } == 3)
  }

  @Test func aLoadIsWaitedForUntilTheLimit() async throws {
    var options = DiskCacheOptions()
    options.loadWaitLimit = .milliseconds(20)
    let disk = try await DiskCache<String, Int>.open(
      path: folder.store, options: options, coder: .json)
    let (started, gate) = (Counter(), Counter())
    let first = Task {
      try await disk.value(forKey: "a") {
        started.increment()
        try await waitUntil { gate.count > 0 }
        return 7
      }
    }
    try await waitUntil { started.count > 0 }
    let error = LoadError.waitedTooLong(
      key: "a", limit: .milliseconds(20), blocksThread: false)
    await #expect(throws: error) { try await disk.value(forKey: "a") { 8 } }
    gate.increment()
    #expect(try await first.value == 7)
  }

  @Test func aGetLooksAtTheDiskWhenALoadTakesLongerThanTheLimit() async throws {
    var options = TieredCacheOptions()
    options.memory.loadWaitLimit = .milliseconds(20)
    let disk = try await DiskCache<String, Int>.open(path: folder.store, coder: .json)
    let tiered = try TieredCache.open(disk: disk, options: options)
    let (started, gate) = (Counter(), Counter())
    let first = Task {
      try await tiered.value(forKey: "a") {
        started.increment()
        try await waitUntil { gate.count > 0 }
        return 7
      }
    }
    try await waitUntil { started.count > 0 }
    #expect(try await tiered.value(forKey: "a") == nil)
    try await disk.set(5, forKey: "a")
    #expect(try await tiered.value(forKey: "a") == 5)
    let blocking: Int? = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try tiered.value(forKey: "a") })
      }
    }
    #expect(blocking == 5)
    gate.increment()
    #expect(try await first.value == 7)
  }

  @Test func aGetInALoadThatItWouldWaitForLooksAtTheDisk() async throws {
    let disk = try await DiskCache<String, Int>.open(path: folder.store, coder: .json)
    let tiered = try TieredCache.open(disk: disk)
    let (one, two) = (Counter(), Counter())
    let getting = Task {
      try await tiered.value(forKey: "a") {
        one.increment()
        try await waitUntil { two.count > 0 }
        return try await tiered.value(forKey: "b") ?? 0
      }
    }
    let loading = Task {
      try await tiered.value(forKey: "b") {
        two.increment()
        try await waitUntil { one.count > 0 }
        return try await tiered.value(forKey: "a") { 2 } + 1
      }
    }
    // Whichever waits second finds the circle: the get looks at the disk, where nothing is, and the load throws.
    #expect(try await getting.value == 0)
    switch await loading.result {
    case .success(let value): #expect(value == 1)
    case .failure(let error): #expect(circles.contains((error as? LoadError) ?? .circle(keys: [])))
    }
  }
}
