import Parameters

/// The catalog of generators.
public enum TraceGenerators {
  /// Every generator; a new one is one file and one line here.
  package static let all: [any TraceGenerator.Type] = [
    ZipfGenerator.self,
    UniformGenerator.self,
    ScanGenerator.self,
    LoopGenerator.self,
    HotScanGenerator.self,
    HotShiftGenerator.self,
    ZipfDriftGenerator.self,
    GaussianWalkGenerator.self,
    StackDistanceGenerator.self,
    ArrivalsGenerator.self,
  ]

  /// The generator of a specification such as `zipf:alpha=1.0:keys=1e6:requests=1e7`, and its
  /// parameters.
  ///
  /// Throws `usage` when there is no such generator, `specification` when a parameter is wrong.
  static func choose(
    _ text: String
  ) throws(TraceError) -> (type: any TraceGenerator.Type, arguments: Arguments) {
    try CatalogEntry.choose(text, among: all, "trace generator") { $0.information }
  }

  /// A generated trace in memory, named by its specification. The same trace results from
  /// writing it to a file and reading that.
  ///
  /// O(requests), about ten million a second; memory as ``TraceLoader`` needs for it.
  public static func trace(
    _ text: String, seed: UInt64 = 42, columns: TraceColumns = [],
    progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Trace {
    try trace(
      SyntheticWorkload(phases: [text], seed: seed), columns: columns, progress: progress)
  }

  /// The trace of a workload in memory, with sizes and times where these are wanted.
  public static func trace(
    _ workload: SyntheticWorkload, columns: TraceColumns = [],
    progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Trace {
    let monitor = ProgressMonitor(
      file: workload.name, source: MemorySource([]), callback: progress)
    var builder = TraceBuilder(
      name: workload.name, file: workload.name, format: "generated", keys: .integer,
      columns: columns, limit: nil, advance: monitor.advance)
    var source = workload
    let block = RequestBlock()
    var made = 0
    while made < source.requests {
      block.count = min(RequestBlock.capacity, source.requests - made)
      source.fill(block, from: made)
      try builder.append(keysAt: UnsafeRawPointer(block.keys), stride: 8, count: block.count)
      if columns.contains(.sizes) { builder.append(sizes: block.sizes, count: block.count) }
      if columns.contains(.times) { builder.append(times: block.times, count: block.count) }
      made += block.count
    }
    return try builder.finish()
  }
}
