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
      threads: 1, lock: "own", system: name,
      latency: LatencyReport(get: times.latency, timerOverhead: 0))
    replay.systemUse = SystemUse(residents: report.residents, memory: report.bytes, bytesSet: 0)
    measurement.replay = replay
    return .measurement(measurement)
  }
}
