import Parameters

/// The catalog of generators.
public enum TraceGenerators {
  /// Every generator; a new one is one file and one line here.
  public static let all: [any TraceGenerator.Type] = [
    ZipfGenerator.self,
    HotScanGenerator.self,
  ]

  /// Requests a second in the times that generated traces bear.
  static let requestsPerSecond = 1000

  /// The generator of a specification such as `zipf:alpha=1.0:keys=1e6:requests=1e7`.
  ///
  /// Throws `usage` when there is no such generator, `specification` when a parameter is wrong.
  public static func generator(
    _ text: String, seed: UInt64 = 42
  ) throws(TraceError) -> any TraceGenerator {
    let specification = try CatalogEntry.parse(text)
    guard let type = all.first(where: { $0.information.name == specification.name }) else {
      throw .usage(
        problem: "there is no trace generator '\(specification.name)'",
        remedy: "choose one of \(all.map { $0.information.name }.joined(separator: ", "))")
    }
    return try type.generator(specification, seed: seed)
  }

  /// A generated trace in memory, named by its specification. The same trace results from
  /// writing it to a file and reading that.
  ///
  /// O(requests), about 20 million a second; memory as ``TraceLoader`` needs for it.
  public static func trace(
    _ text: String, seed: UInt64 = 42, columns: TraceColumns = [],
    progress: TraceProgress.Callback? = nil
  ) throws(TraceError) -> Trace {
    try trace(generator(text, seed: seed), named: text, columns: columns, progress: progress)
  }

  /// The trace that a generator makes.
  static func trace(
    _ generator: any TraceGenerator, named name: String, columns: TraceColumns,
    progress: TraceProgress.Callback?
  ) throws(TraceError) -> Trace {
    let monitor = ProgressMonitor(file: name, source: MemorySource([]), callback: progress)
    var builder = TraceBuilder(
      name: name, file: name, format: "generated", keys: .integer, columns: columns, limit: nil,
      monitor: monitor)
    let size = UInt64(generator.objectSize)
    var stream = generator
    let block = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 4096)
    defer { block.deallocate() }
    var made = 0
    while made < generator.requests {
      let count = min(block.count, generator.requests - made)
      stream.fill(UnsafeMutableBufferPointer(rebasing: block[..<count]))
      try builder.append(
        keysAt: UnsafeRawPointer(block.baseAddress.unsafelyUnwrapped), stride: 8, count: count)
      if columns.contains(.sizes) {
        for _ in 0..<count { builder.append(size: size) }
      }
      if columns.contains(.times) {
        for request in made..<made + count {
          builder.append(time: Int64(request / requestsPerSecond) * 1_000_000_000)
        }
      }
      made += count
    }
    return try builder.finish()
  }
}

extension TraceGenerator {
  fileprivate static func generator(
    _ specification: Specification, seed: UInt64
  ) throws(TraceError) -> any TraceGenerator {
    try Self(information.arguments(specification), seed: seed)
  }
}
