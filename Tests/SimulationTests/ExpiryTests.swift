import EvictionCore
import Parameters
import Requests
import Results
import Runner
import Simulation
import Testing
import Traces

/// Objects whose time to live is over, against a cache that is written down plainly.
@Suite struct ExpiryTests {
  /// A cache as a list, oldest first: before each set, everything whose time is over leaves.
  private struct Model {
    var residents: [(id: UInt32, end: Int64)] = []
    var counts = RequestCounts()
    let capacity: Int
    let movesOnHit: Bool

    mutating func run(_ trace: Trace) {
      for index in 0..<trace.requests {
        let (id, now) = (trace.ids[index], trace.times![index])
        let ttl = trace.ttls![index]
        let end = ttl == 0 || ttl > .max - now ? Int64.max : now + ttl
        let place = residents.firstIndex { $0.id == id }
        let isOver = place.map { residents[$0].end <= now } ?? false
        switch trace.operations![index].role {
        case .removal:
          if let place {
            residents.remove(at: place)
            if isOver { counts.expirations += 1 }
          }
        case .reference:
          counts.requests += 1
          if let place, !isOver {
            counts.hits += 1
            if movesOnHit { residents.append(residents.remove(at: place)) }
          } else {
            set(id, end: end, now: now)
          }
        case .update: set(id, end: end, now: now)
        case .renewal:
          if let place, !isOver { residents[place].end = end }
        }
      }
      drop(at: trace.times![trace.requests - 1])
    }

    private mutating func drop(at now: Int64) {
      let before = residents.count
      residents.removeAll { $0.end <= now }
      counts.expirations += before - residents.count
    }

    private mutating func set(_ id: UInt32, end: Int64, now: Int64) {
      drop(at: now)
      if let place = residents.firstIndex(where: { $0.id == id }) {
        residents[place].end = end
        if movesOnHit { residents.append(residents.remove(at: place)) }
        return
      }
      counts.insertions += 1
      if residents.count == capacity {
        residents.removeFirst()
        counts.evictions += 1
      }
      residents.append((id, end))
    }
  }

  private static let columns: TraceColumns = [.times, .ttls, .operations]

  private static func load(_ text: String) throws -> Trace {
    try TraceLoader.load(bytes: Array(text.utf8), name: "t.csv", columns: columns)
  }

  private static func text(seed: UInt64) -> String {
    var generator = SplitMix64(seed: seed)
    var text = "time,key,op,ttl\n"
    var time = 0
    for _ in 0..<3_000 {
      time += generator.index(below: 3)
      let operation = ["get", "get", "get", "set", "touch", "delete"][generator.index(below: 6)]
      let key = generator.index(below: 20) * generator.index(below: 20)
      text += "\(time),\(key),\(operation),\([0, 3, 20, 90][generator.index(below: 4)])\n"
    }
    return text
  }

  /// The counts of a policy of the catalog, which are the same block by block.
  private func counts(
    _ name: String, _ text: String, capacity: Int, warmup: Int = 0, expires: Bool = true
  ) throws -> RequestCounts {
    let choice = try #require(try PolicyChoice.parse([name]).first)
    let run = RunOptions(
      capacity: capacity, arguments: choice.arguments, warmup: warmup, expires: expires)
    let stream = RequestStream(try Self.load(text), needs: choice.needs.union(.keyHash))
    let simulator = choice.entry.simulator
    let counts = try #require(try simulator.run(stream, options: SimulationOptions(run)))
    if choice.needs.contains(.nextUse) { return counts }
    let byBlocks = try simulator.counts(
      of: text, format: "csv", columns: Self.columns, blockRequests: 257,
      SimulationOptions(run), isPlain: stream.isPlain)
    #expect(byBlocks == counts, "\(name), block by block")
    return counts
  }

  @Test(arguments: [1, 7, 40, 150], [UInt64(1), 2])
  func countsAreThoseOfAPlainList(capacity: Int, seed: UInt64) throws {
    let text = Self.text(seed: seed)
    let trace = try Self.load(text)
    for (name, movesOnHit) in [("lru", true), ("fifo", false)] {
      var model = Model(capacity: capacity, movesOnHit: movesOnHit)
      model.run(trace)
      var counts = try counts(name, text, capacity: capacity)
      // The model has no sums.
      (counts.bytes, counts.byteHits, counts.cost, counts.costHits) = (0, 0, 0, 0)
      #expect(counts == model.counts, "\(name)")
      #expect(model.counts.expirations > 0)
    }
  }

  /// A run of gets alone, which other loops count where nothing expires. The second get hits; at 5 the object is over,
  /// and is put in until 10; at 20 for good.
  @Test func everyPolicyLosesWhatIsOver() throws {
    let text = "time,key,ttl\n0,a,5\n4,a,5\n5,a,5\n9,a,5\n20,a,0\n30,a,0\n"
    for choice in try PolicyChoice.parse(["all"])
    where choice.needs.isDisjoint(with: [.cost, .keyLength]) {
      let counts = try counts(choice.name, text, capacity: 8)
      // Some refuse what comes the first time.
      if counts.rejections == 0 {
        #expect(counts.hits == 3 && counts.expirations == 2, "\(choice.name): \(counts)")
      }
      #expect(counts.hits <= 3 && counts.expirations <= 2, "\(choice.name): \(counts)")
      let without = try self.counts(choice.name, text, capacity: 8, expires: false)
      #expect(without.expirations == 0 && without.hits > counts.hits, "\(choice.name): \(without)")
    }
  }

  /// Neither the capacity, nor a bound, nor a curve learns of it where nothing expires.
  @Test func aTouchIsNoUseAndAdmitsNothing() throws {
    let text = "time,key,op,ttl\n0,a,touch,5\n1,a,get,5\n2,b,get,0\n3,a,touch,9\n9,a,get,5\n"
    for (name, hits) in [("lru", 1), ("fifo", 1), ("opt", 1), ("lfu", 1)] {
      let counts = try counts(name, text, capacity: 4)
      #expect(counts.requests == 3 && counts.hits == hits && counts.insertions == 2, "\(name)")
    }
    let trace = Trace.of([1, 2, 1, 3, 1], operations: [.get, .get, .touch, .get, .get])
    #expect(StackDistances.counts(in: trace)?.hits == [0, 0, 1])
    for (name, hits) in [("lru", 0), ("opt", 1)] {
      let choice = try #require(try PolicyChoice.parse([name]).first)
      let stream = RequestStream(trace, needs: .nextUse)
      let run = SimulationOptions(RunOptions(capacity: 2, arguments: choice.arguments))
      let counts = try #require(try choice.entry.simulator.run(stream, options: run))
      #expect(counts.hits == hits && counts.requests == 4, "\(name)")
    }
  }

  @Test func timesToLiveThatCannotBeAddedUpNeverEnd() throws {
    let trace = Trace.of(
      [7, 7], times: [5, 9_000_000_000_000_000_000], ttls: [9_223_372_036_854_775_807, 0])
    for name in ["lru", "tlru", "segcache", "expire-soonest", "expire-latest"] {
      for expires in [false, true] {
        let choice = try #require(try PolicyChoice.parse([name]).first)
        let run = RunOptions(capacity: 200, arguments: choice.arguments, expires: expires)
        let counts = try #require(
          try choice.entry.simulator.run(
            RequestStream(trace, needs: choice.needs), options: SimulationOptions(run)))
        #expect(counts.hits == 1 && counts.expirations == 0, "\(name): \(counts)")
      }
    }
  }

  @Test func whatExpiresInTheWarmUpIsNotCounted() throws {
    let text = Self.text(seed: 3)
    let all = try counts("lru", text, capacity: 40)
    let last = try counts("lru", text, capacity: 40, warmup: 1_500)
    #expect(last.expirations > 0 && last.expirations < all.expirations)
  }
}
