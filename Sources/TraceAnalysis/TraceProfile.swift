import Dispatch
import Traces

/// The kind of workload that a trace is: its metrics, and their meaning in one line.
///
///     let trace = try TraceLoader.load(path: "web.csv", columns: TraceProfile.columns)
///     let analysis = try TraceProfile(trace)
///     print(analysis.reading.text, analysis[Popularity.self]?.fit?.alpha ?? 0)
///
/// One pass over the columns in blocks: for each request the previous one of the same key is looked up
/// once, while every analyser reads the block before in a loop of its own, on all cores. What cannot be
/// counted exactly in bounded time and memory is sampled, and comes with its error.
///
/// - Complexity: O(requests), O(log requests) for each whose distance is measured, and O(keys log keys)
///   for the popularity. Memory: about 20 bytes a key and three bits a request.
package struct TraceProfile: Sendable {
  /// The requested analysis.
  package struct Options: Sendable {
    /// True if reuse distances are counted exactly, however long the trace is.
    package var isExact = false
    /// Traces of at most this number of requests have exact reuse distances anyway.
    package var exactRequests = 1_000_000
    /// In longer ones about this number of keys is followed at most: the standard error of a distance is then
    /// its square root, times that of the keys per followed key.
    package var followedKeys = 65_536
    /// In longer ones the distances of about this number of requests is measured at least.
    package var measuredRequests = 262_144
    /// Replicates of the popularity fit's test; nil for 99 where there are at most 10 000 keys, and
    /// none elsewhere.
    package var replicates: Int?
    /// The seed of random draws.
    package var seed = 42
    /// Longer traces are refused.
    package var mostRequests = KeyUses.mostRequests

    /// The defaults.
    package init() {}
  }

  /// The optional columns that are worth loading.
  package static let columns: TraceColumns = [
    .sizes, .times, .operations, .ttls, .keyTexts,
  ]

  /// The trace's name.
  package let name: String
  /// The format that it was read in.
  package let format: String
  /// The reason for the format, as a part of a sentence; nil where the trace was not read.
  package let formatReason: String?
  /// The parts that a recording lacks.
  package let loss: RecordingLoss
  /// The figures, in the order of `TraceAnalysers`; those that the trace has no column for are missing.
  package let figures: [any TraceFigure]
  /// The meaning of the metrics.
  package let reading: TraceReading

  /// Analyses a trace.
  ///
  /// - Parameters:
  ///   - trace: The requests.
  ///   - options: The requested analysis, and its precision.
  ///   - progress: Called now and then with how many requests are done.
  /// - Throws: `usage` when the trace is too long, or holds nothing.
  package init(
    _ trace: Trace, options: Options = Options(), progress: (Int) -> Void = { _ in }
  ) throws(TraceError) {
    guard trace.requests <= options.mostRequests else {
      throw .usage(
        problem: "\(trace.name) has more than \(options.mostRequests) requests",
        remedy: "analyse the first ones with a limit, or a sample of its keys")
    }
    if trace.requests == 0 { throw .noRequests(file: trace.name) }
    // Each is used by one thread at a time.
    nonisolated(unsafe) let analysers = TraceAnalysers.all.compactMap {
      $0.make(trace, options: options)
    }
    nonisolated(unsafe) let uses = KeyUses(trace)
    nonisolated(unsafe) var next = uses.nextBlock()
    while let current = next {
      nonisolated(unsafe) let block = current
      DispatchQueue.concurrentPerform(iterations: analysers.count + 1) { task in
        if task == 0 { next = uses.nextBlock() } else { analysers[task - 1].take(block) }
      }
      progress(block.first + block.count)
    }
    name = trace.name
    format = trace.format
    formatReason = trace.formatReason
    loss = trace.loss
    figures = TraceProfile.figures(analysers.count) { analysers[$0].finish(uses) }
    reading = TraceReading(figures)
  }

  /// Figures that are made on all cores.
  private static func figures(
    _ count: Int, _ make: @Sendable (Int) -> any TraceFigure
  ) -> [any TraceFigure] {
    let places = UnsafeMutableBufferPointer<(any TraceFigure)?>.allocate(capacity: count)
    places.initialize(repeating: nil)
    defer {
      places.deinitialize()
      places.deallocate()
    }
    nonisolated(unsafe) let target = places
    DispatchQueue.concurrentPerform(iterations: count) { target[$0] = make($0) }
    return places.compactMap(\.self)
  }

  /// The figure of a kind; nil if the trace has no column for it.
  package subscript<Figure: TraceFigure>(_ kind: Figure.Type) -> Figure? { figures.figure(kind) }
}

extension [any TraceFigure] {
  func figure<Figure: TraceFigure>(_ kind: Figure.Type) -> Figure? {
    lazy.compactMap { $0 as? Figure }.first
  }
}
