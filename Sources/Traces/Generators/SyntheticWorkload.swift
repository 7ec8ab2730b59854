import Parameters

/// A workload that is made: phases of keys, one after the other, the times at which they are
/// requested, and the sizes of the objects.
///
///     let workload = try SyntheticWorkload(
///       phases: ["zipf:alpha=0.9:keys=1e6:requests=5e6", "loop:keys=1000:requests=1e5"],
///       times: "poisson:rate=1000", sizes: "lognormal:mean=4096:sigma=1")
///     try TraceWriter.write(workload, to: "x.oracleGeneral.zst")
///
/// The same specifications and seed give the same requests on every platform.
public struct SyntheticWorkload: Sendable {
  private struct Phase {
    var generator: any TraceGenerator
    let requests: Int
    let size: UInt64
    /// The number that is added to its keys.
    let firstKey: UInt64
  }

  /// The specifications of the phases with `+` between them.
  public let name: String
  /// Requests of all phases.
  public let requests: Int

  private var phases: [Phase] = []
  private var phase = 0
  /// Requests that are still to come in the phase.
  private var left: Int
  private var times: ArrivalTimes
  private let sizes: (any SizeDistribution)?
  private let sizeSeed: UInt64

  /// A workload at its first request.
  ///
  /// - Parameters:
  ///   - specifications: a generator with its parameters for each phase, at least one.
  ///   - disjoint: the keys of each phase follow those that the phases before it can make;
  ///     otherwise all phases draw from one space of keys from 0 on.
  ///   - times: when the requests are made.
  ///   - sizes: how large the objects are, each the same at all its requests; nil gives those of a
  ///     phase the `size` of its generator.
  ///   - seed: where every draw starts from; each phase, the times and the sizes draw independently.
  /// - Throws: `usage` for what doesn't exist or doesn't fit, `specification` for wrong parameters.
  public init(
    phases specifications: [String], disjoint: Bool = false, times: String = "periodic",
    sizes: String? = nil, seed: UInt64 = 42
  ) throws(TraceError) {
    var firstKey: UInt64 = 0
    for (index, text) in specifications.enumerated() {
      let (type, arguments) = try TraceGenerators.choose(text)
      let generator = try type.init(arguments, seed: Self.vary(seed, by: UInt64(index)))
      if sizes != nil && arguments.given["size"] != nil {
        throw .usage(
          problem: "\(text) has a size, and sizes are distributed", remedy: "leave one of them out")
      }
      phases.append(
        Phase(
          generator: generator, requests: arguments.integer("requests"),
          size: UInt64(arguments.integer("size")), firstKey: firstKey))
      if disjoint { firstKey += generator.keys }
    }
    guard let first = phases.first else {
      throw .usage(problem: "a workload without phases", remedy: "name a generator")
    }
    name = specifications.joined(separator: "+")
    requests = phases.reduce(0) { $0 + $1.requests }
    left = first.requests
    self.times = try ArrivalTimes(
      times, seed: Self.vary(seed, by: 1 << 32), requests: requests)
    self.sizes =
      if let sizes { try SizeDistributions.distribution(sizes) } else { nil }
    sizeSeed = Self.vary(seed, by: 2 << 32)
  }

  /// An independent seed for each number; the seed itself for 0.
  private static func vary(_ seed: UInt64, by number: UInt64) -> UInt64 {
    number == 0 ? seed : KeyHash.finish(seed &+ KeyHash.finish(number))
  }
}

extension SyntheticWorkload: RequestSource {
  /// Makes the next requests, whatever `first` says: they come in their order.
  mutating func fill(_ block: RequestBlock, from first: Int) {
    var done = 0
    while done < block.count {
      while left == 0 {
        phase += 1
        left = phases[phase].requests
      }
      let range = done..<done + min(left, block.count - done)
      let keys = UnsafeMutableBufferPointer(start: block.keys + done, count: range.count)
      phases[phase].generator.fill(keys)
      let firstKey = phases[phase].firstKey
      if firstKey > 0 { for index in keys.indices { keys[index] += firstKey } }
      (block.sizes + done).update(repeating: phases[phase].size, count: range.count)
      done = range.upperBound
      left -= range.count
    }
    times.fill(UnsafeMutableBufferPointer(start: block.times, count: block.count))
    guard let sizes else { return }
    for index in 0..<block.count {
      block.sizes[index] = sizes.size(seed: KeyHash.finish(block.keys[index]) ^ sizeSeed)
    }
  }
}
