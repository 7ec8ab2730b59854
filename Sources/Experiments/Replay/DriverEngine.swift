import CacheReplay
import EvictionCore
import Requests
import Results
import Runner
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
    let result = withoutActuallyEscaping(observer) { observer in
      Result { () throws(ExperimentError) in try run(cell, on: stream, asking: observer) }
    }
    return try result.get()
  }

  private func run(
    _ cell: Cell, on stream: RequestStream, asking observer: @escaping (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    var done = 0
    let isStopped = { !observer(done) }
    do throws(DriverError) {
      return try run(cell, on: stream, isStopped: isStopped, advance: { done = $0 })
    } catch {
      if isStopped() { return nil }
      throw .system(SystemError.driver(error))
    }
  }

  private func run(
    _ cell: Cell, on stream: RequestStream, isStopped: @escaping () -> Bool, advance: (Int) -> Void
  ) throws(DriverError) -> Outcome? {
    let driver = try Driver(
      command, capacity: cell.capacity, isSized: stream.isSized, seed: cell.run.seed,
      isStopped: isStopped)
    let source = ColumnSource(RequestColumns(stream))
    let sizes = ValueSizes(of: stream)
    var counts = RequestCounts()
    for start in stride(from: 0, to: stream.requests, by: Driver.batch) {
      advance(start)
      if isStopped() { return nil }
      let range = start..<min(start + Driver.batch, stream.requests)
      let batch = range.compactMap { index -> (index: Int, access: Driver.Access)? in
        let key = stream.ids[index]
        return switch source.role(at: index) {
        case .reference: (index, .get(key: key, size: sizes[key]))
        case .update: (index, .set(key: key, size: sizes[key]))
        case .removal: (index, .remove(key: key))
        // Drivers know no times to live.
        case .renewal: nil
        }
      }
      if batch.isEmpty { continue }
      let hits = try driver.access(batch.map(\.access))
      for (index, isHit) in zip(batch.lazy.map(\.index), hits) where index >= cell.run.warmup {
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
    var replay = Replay()
    replay.threads = driver.threads
    replay.lock = "own"
    replay.system = name
    replay.latency = LatencyReport { $0.get = times.latency }
    var use = SystemUse()
    use.residents = report.residents
    use.memory = report.bytes
    if let residents = report.residents {
      use.lruHitRatioAtResidents = lruHitRatio(
        of: stream, sizes: sizes, cell: cell, MemoryCache(countLimit: residents, policy: .lru),
        isStopped)
    }
    if let memory = report.bytes {
      use.lruHitRatioAtMemory = lruHitRatio(
        of: stream, sizes: sizes, cell: cell,
        MemoryCache(costLimit: memory, costs: .given, policy: .lru),
        isStopped)
    }
    if isStopped() { return nil }
    replay.systemUse = use
    measurement.replay = replay
    return .measurement(measurement)
  }

  /// Returns the hit ratio of the requests that count in an empty cache of exact LRU, nil where none does.
  private func lruHitRatio(
    of stream: RequestStream, sizes: ValueSizes, cell: Cell, _ cache: MemoryCache<UInt32, Void>,
    _ isStopped: () -> Bool
  ) -> Double? {
    let source = ColumnSource(RequestColumns(stream))
    var (hits, gets) = (0, 0)
    for index in 0..<stream.requests {
      if index & 0xFFFF == 0, isStopped() { return nil }
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
      case .renewal: break
      }
    }
    return gets == 0 ? nil : Double(hits) / Double(gets)
  }
}
