import Eviction
import EvictionCore
import Foundation
import Recording
import Synchronization
import Testing
import Traces

@Suite struct TraceRecorderTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("recording-\(UUID().uuidString)").path

  private func inFolder(_ body: (String) throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func load(_ recording: TraceRecorder.Recording) throws -> Trace {
    try TraceLoader.load(paths: recording.files, columns: .all)
  }

  @Test func requestsStandInTheOrderThePolicySawThem() throws {
    try inFolder { folder in
      let recorder = try TraceRecorder(path: folder + "/t.evtrace")
      let cache = MemoryCache<Int, String>(
        costLimit: 100, costs: .given, policy: .lru, observer: recorder)
      #expect(cache.value(forKey: 1) == nil)
      cache.set("one", forKey: 1, cost: 30)
      _ = cache.value(forKey: 1)
      cache.set("two", forKey: 2, cost: 20)
      cache.set("uno", forKey: 1, cost: 40)
      cache.removeValue(forKey: 2)
      cache.removeValue(forKey: 3)
      _ = cache.value(forKey: 4)
      let recording = try recorder.finish()
      #expect(recording.files == [folder + "/t.evtrace"])
      #expect(recording.requests == 5 && recording.dropped == 0)
      #expect(recording.missesWithoutSet == 1)
      let trace = try load(recording)
      #expect(Array(trace.ids) == [0, 0, 1, 0, 1])
      #expect(trace.operations.map(Array.init) == [.get, .get, .set, .set, .delete])
      #expect(trace.sizes.map(Array.init) == [30, 30, 20, 40, 20])
      let times = try #require(trace.times.map(Array.init))
      #expect(times == times.sorted())
    }
  }

  @Test func removingEverythingRemovesEachKey() throws {
    try inFolder { folder in
      let recorder = try TraceRecorder(path: folder + "/t.evtrace")
      let cache = MemoryCache<Int, Int>(countLimit: 2, policy: .fifo, observer: recorder)
      for key in 0..<3 { cache.set(key, forKey: key) }
      cache.removeAll()
      let trace = try load(recorder.finish())
      #expect(trace.operations.map(Array.init) == [.set, .set, .set, .delete, .delete])
      #expect(Set(trace.ids.suffix(2)) == [1, 2])
    }
  }

  /// The shards' operations come to the recorder one at a time, whatever thread they are of.
  @Test func aCacheInShardsIsRecordedAsAWhole() throws {
    try inFolder { folder in
      let recorder = try TraceRecorder(path: folder + "/t.evtrace")
      #expect(throws: PolicyError.self) {
        try ShardedCache<Int, Int>.open(shards: 4, countLimit: 3, observer: recorder)
      }
      let cache = ShardedCache<Int, Int>(
        shards: 4, countLimit: 100, policy: .lru, observer: recorder)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        var generator = SplitMix64(seed: UInt64(thread))
        for _ in 0..<2_000 {
          // Keys of its own: a miss is followed by its set.
          let key = 1_000 * thread + generator.index(below: 60)
          if cache.value(forKey: key) == nil { cache.set(key, forKey: key) }
        }
      }
      let recording = try recorder.finish()
      #expect(recording.requests + recording.dropped >= 8_000 && recording.missesWithoutSet == 0)
      let trace = try load(recording)
      #expect(trace.operations?.allSatisfy { $0 == .get } ?? true)
      if recording.dropped == 0 { #expect(trace.requests == 8_000 && trace.distinct == 240) }
    }
  }

  @Test func keysAreHashedUnderASecretOfTheRecorder() throws {
    try inFolder { folder in
      var keys: [UInt64?] = []
      for name in ["a", "b"] {
        let recorder = try TraceRecorder(path: "\(folder)/\(name).evtrace")
        let cache = MemoryCache<Int, Int>(countLimit: 2, policy: .lru, seed: 42, observer: recorder)
        cache.set(1, forKey: 7)
        let trace = try load(recorder.finish())
        keys.append(trace.integerKey(of: 0))
      }
      #expect(keys[0] != keys[1])
      #expect(!keys.contains(7) && !keys.contains(7.stableHash(seed: 42)))
    }
  }

  @Test func longRecordingGoesOnInFurtherFiles() throws {
    try inFolder { folder in
      var options = TraceRecorder.Options()
      options.segmentRequests = 4
      options.requestLimit = 10
      let recorder = try TraceRecorder(path: folder + "/t.evtrace.zst", options: options)
      let cache = MemoryCache<Int, Int>(countLimit: 2, policy: .lru, observer: recorder)
      for key in 0..<20 { cache.set(key, forKey: key % 3) }
      let recording = try recorder.finish()
      let names = ["t.evtrace.zst", "t.2.evtrace.zst", "t.3.evtrace.zst"]
      #expect(recording.files == names.map { "\(folder)/\($0)" })
      #expect(recording.requests == 10)
      #expect(Array(try load(recording).ids) == (0..<10).map { UInt32($0 % 3) })
    }
  }

  @Test func sampleHoldsAllRequestsOfItsKeys() throws {
    try inFolder { folder in
      var options = TraceRecorder.Options()
      options.sampledKeys = 0.25
      let recorder = try TraceRecorder(
        path: folder + "/t.evtrace", options: options, keys: KeyedHash(key: (1, 2)))
      let cache = MemoryCache<Int, Int>(countLimit: 10, policy: .lru, seed: 42, observer: recorder)
      for round in 0..<3 {
        for key in 0..<1000 { cache.set(round, forKey: key) }
      }
      let trace = try load(recorder.finish())
      #expect(trace.requests == 3 * trace.distinct)
      #expect((200...300).contains(trace.distinct))
    }
  }

  @Test func whatDoesNotFitIsDroppedAndCounted() throws {
    try inFolder { folder in
      var options = TraceRecorder.Options()
      options.bufferedEvents = 8
      options.interval = .seconds(100)
      let recorder = try TraceRecorder(path: folder + "/t.evtrace", options: options)
      let cache = MemoryCache<Int, Int>(countLimit: 10, policy: .lru, observer: recorder)
      for key in 0..<1000 { cache.set(key, forKey: key) }
      let recording = try recorder.finish()
      // The thread's rounds may come within the loop.
      #expect(recording.requests >= 8)
      #expect(recording.requests + recording.dropped == 1000)
      #expect(try load(recording).loss == RecordingLoss(droppedEvents: recording.dropped))
    }
  }

  @Test func secondCacheOfARecorderEndsTheProcessWithTheRemedy() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let recorder = try TraceRecorder(path: "/dev/null")
      let caches = (0..<2).map { _ in
        MemoryCache<Int, Int>(countLimit: 2, policy: .lru, observer: recorder)
      }
      _ = try (caches, recorder.finish())
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("a TraceRecorder records one cache: make another") == true)
  }

  @Test func cacheThatCannotBeMadeLeavesTheRecorderFree() throws {
    let recorder = try TraceRecorder(path: "/dev/null")
    #expect(throws: PolicyError.self) {
      try MemoryCache<Int, Int>.open(
        countLimit: 2, policy: CachePolicy(LRU.self, specification: "lru:no=1"), observer: recorder)
    }
    _ = MemoryCache<Int, Int>(countLimit: 2, policy: .lru, observer: recorder)
    #expect(try recorder.finish().requests == 0)
  }

  @Test func threadsThatFinishAtOnceFindTheSameRecording() throws {
    try inFolder { folder in
      for round in 0..<20 {
        let recorder = try TraceRecorder(path: "\(folder)/\(round).evtrace")
        let cache = MemoryCache<Int, Int>(countLimit: 10, policy: .lru, observer: recorder)
        for key in 0..<1000 { cache.set(key, forKey: key) }
        let recordings = Mutex<[TraceRecorder.Recording]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
          guard let recording = try? recorder.finish() else { return }
          recordings.withLock { $0.append(recording) }
        }
        let found = recordings.withLock { $0 }
        #expect(found.count == 8 && found.allSatisfy { $0 == found[0] })
        #expect(found.first?.files == ["\(folder)/\(round).evtrace"])
        #expect(found.first?.requests == 1000)
      }
    }
  }

  @Test func nothingRecordedLeavesNoFile() throws {
    try inFolder { folder in
      let recorder = try TraceRecorder(path: folder + "/t.evtrace")
      #expect(try recorder.finish().files == [])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test func errorsSayWhatIsWrong() throws {
    #expect(throws: TraceError.missing(file: "/nowhere/")) {
      try TraceRecorder(path: "/nowhere/t.evtrace")
    }
    let error = try #require(throws: TraceError.self) { try TraceRecorder(path: "/tmp/t.json") }
    #expect(error.description.hasPrefix("/tmp/t.json: no trace is written as '.json'"))
    let recorder = try TraceRecorder(path: "/dev/full")
    recorder.cacheDid(.update, keyHash: 1, cost: 1)
    #expect(throws: TraceError.io(file: "/dev/full", action: "write", byte: 0, code: ENOSPC)) {
      try recorder.finish()
    }
  }

  @Test func segmentsAreNumberedBeforeTheSuffix() {
    #expect(TraceRecorder.path("a.b/c", segment: 2) == "a.b/c.2")
    #expect(TraceRecorder.path("a.b/.c.evtrace", segment: 3) == "a.b/.c.3.evtrace")
    #expect(TraceRecorder.path("c.evtrace.zst", segment: 1) == "c.evtrace.zst")
  }
}
