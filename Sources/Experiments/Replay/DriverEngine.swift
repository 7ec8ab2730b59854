import CacheReplay
import EvictionCore
import Requests
import Results
import Systems
import Traces

/// Has a program drive a cache that is not ours, in batches, one round a cell.
struct DriverEngine: Engine {
  /// The command line of the program.
  let command: String

  /// The system's name in results.
  var name: String { "exec:\(command)" }

  var runsAlone: Bool { true }

  func needs(of policy: PolicyChoice) -> RequestNeeds { [] }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    do throws(DriverError) {
      return try run(cell, on: stream, observer: observer)
    } catch { throw .system(.driver(error)) }
  }

  private func run(
    _ cell: Cell, on stream: RequestStream, observer: (Int) -> Bool
  ) throws(DriverError) -> Outcome? {
    let driver = try Driver(
      command, capacity: cell.capacity, isSized: stream.isSized, seed: cell.run.seed)
    let source = ColumnSource(stream)
    let sizes = ValueSizes(of: stream)
    var counts = RequestCounts()
    for start in stride(from: 0, to: stream.requests, by: Driver.batch) {
      if !observer(start) { return nil }
      let range = start..<min(start + Driver.batch, stream.requests)
      let hits = try driver.access(
        range.map { index in
          let key = stream.ids[index]
          return switch source.role(at: index) {
          case .reference: .get(key: key, size: sizes[key])
          case .update: .set(key: key, size: sizes[key])
          case .removal: .remove(key: key)
          }
        })
      for (index, isHit) in zip(range, hits) where index >= cell.run.warmup {
        if let isHit {
          counts.count(
            source.request(at: index, needs: []), isHit: isHit, weighs: source.weighs)
        }
      }
    }
    let report = try driver.finish()
    var times = DurationHistogram()
    for (nanoseconds, count) in report.times { times.record(nanoseconds, count: count) }
    var measurement = cell.measurement
    measurement.record(counts, isSized: stream.isSized, hasCosts: stream.trace.costs != nil)
    measurement.record(seconds: times.seconds, requestsRun: times.count)
    var replay = Replay(
      threads: driver.threads, lock: "own", system: name,
      latency: LatencyReport(get: times.latency, timerOverhead: 0))
    var use = SystemUse(residents: report.residents, memory: report.bytes, bytesSet: 0)
    if let residents = report.residents {
      use.lruHitRatioAtResidents = lruHitRatio(
        of: stream, sizes: sizes, cell: cell, MemoryCache(countLimit: residents, policy: .lru))
    }
    if let memory = report.bytes {
      use.lruHitRatioAtMemory = lruHitRatio(
        of: stream, sizes: sizes, cell: cell, MemoryCache(costLimit: memory, policy: .lru))
    }
    replay.systemUse = use
    measurement.replay = replay
    return .measurement(measurement)
  }

  /// Returns the hit ratio of the requests that count in an empty cache of exact LRU, nil where none does.
  private func lruHitRatio(
    of stream: RequestStream, sizes: ValueSizes, cell: Cell, _ cache: MemoryCache<UInt32, Void>
  ) -> Double? {
    let source = ColumnSource(stream)
    var (hits, gets) = (0, 0)
    for index in 0..<stream.requests {
      let key = stream.ids[index]
      switch source.role(at: index) {
      case .reference:
        let isHit = cache.value(forKey: key) != nil
        if !isHit { cache.set((), forKey: key, cost: sizes[key]) }
        if index < cell.run.warmup { continue }
        gets += 1
        if isHit { hits += 1 }
      case .update: cache.set((), forKey: key, cost: sizes[key])
      case .removal: cache.remove(key)
      }
    }
    return gets == 0 ? nil : Double(hits) / Double(gets)
  }
}
