import CEvictionLab
import Results
import Runner

/// Bounds the optimum at every capacity.
@_cdecl("evl_bounds")
public func bounds(
  _ trace: OpaquePointer?, _ capacities: UnsafePointer<UnsafePointer<CChar>?>?,
  _ capacityCount: UInt64, _ options: UnsafePointer<evl_options>?, _ progress: evl_progress?,
  _ context: UnsafeMutableRawPointer?,
  _ bounds: UnsafeMutablePointer<UnsafeMutablePointer<evl_bound>?>?,
  _ count: UnsafeMutablePointer<UInt64>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(bounds, "bounds")
    let count = try Argument.present(count, "count")
    let trace = try TraceObject.trace(trace)
    let capacities = try Argument.texts(capacities, capacityCount, "capacities")
    let options = try GivenOptions(options)
    let bounds = try Watch.run(progress, context) { (watch) throws(CallFailure) in
      let plan = try plan(
        BoundsExperiment(), of: BoundsExperiment.policies, on: trace, capacities: capacities,
        options)
      let finished = try run(plan, threads: options.threads, watch)
      return try evl_bound.all(of: finished, capacities: plan.capacities[0])
    }
    place.pointee = try Copies.of(bounds)
    count.pointee = UInt64(bounds.count)
  }
}

extension evl_bound {
  /// The bounds of all cells.
  fileprivate static func all(
    of finished: FinishedCells, capacities: [Int]
  ) throws(CallFailure) -> [evl_bound] {
    var bounds: [evl_bound] = []
    for (cell, outcome) in finished.outcomesOfRows {
      guard case .measurement(let measurement) = outcome,
        let index = capacities.firstIndex(of: cell.capacity)
      else { throw .cancelled }
      var bound = evl_bound()
      bound.capacity_index = UInt64(index)
      bound.capacity = UInt64(cell.capacity)
      bound.requests = UInt64(measurement.requests)
      bound.hit_ratio_low = measurement.hitRatioBounds?.lowerBound ?? .nan
      bound.hit_ratio_high = measurement.hitRatioBounds?.upperBound ?? .nan
      bound.byte_hit_ratio_low = measurement.byteHitRatioBounds?.lowerBound ?? .nan
      bound.byte_hit_ratio_high = measurement.byteHitRatioBounds?.upperBound ?? .nan
      bounds.append(bound)
    }
    return bounds
  }
}
