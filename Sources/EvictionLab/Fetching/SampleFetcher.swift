import Foundation
import Parameters
import Traces

/// Brings spatial samples of the traces of large collections: the keys are chosen while the bytes come, so that
/// neither disk nor memory ever holds the whole.
///
///     let file = try SampleFetcher(folder: ".").fetch(trace, rate: 0.01)
struct SampleFetcher: Sendable {
  private let folder: String

  /// Writes samples to a folder, which is made if need be.
  init(folder: String) { self.folder = folder }

  /// Brings a sample, unless it is there.
  ///
  /// A broken connection is taken up again at the byte where it broke, as long as each attempt brings something.
  /// A sample whose making is stopped is begun again: an unpacker cannot start in the middle.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - rate: The fraction of the keys.
  ///   - progress: Takes the bytes received; false stops.
  /// - Throws: ``FetchError``; `TraceError` of the content and of the file.
  func fetch(
    _ trace: TraceManifest.CollectedTrace, rate: Double,
    progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) throws -> TraceFetcher.Outcome {
    try TraceFetcher.make(folder)
    let path = "\(folder)/\(trace.fileName(rate: rate))"
    if PartialFile.size(of: path) != nil {
      return TraceFetcher.Outcome(path: path, wasThere: true)
    }
    try OutputFile.check(path, .trace, remedy: "give another --folder")
    let pipe = DownloadPipe(url: trace.url)
    WorkThread.start {
      do {
        try SampleFetcher.download(trace, into: pipe, progress)
        pipe.end()
      } catch {
        pipe.end(error)
      }
    }
    defer { pipe.end() }
    do {
      let sample = try TraceLoader.load(
        sampling: pipe, file: "\(trace.url) (sampled)", name: trace.name, rate: rate)
      try TraceWriter.write(sample, to: path)
    } catch {
      throw pipe.error ?? error
    }
    return TraceFetcher.Outcome(path: path, wasThere: false)
  }

  private static func download(
    _ trace: TraceManifest.CollectedTrace, into pipe: DownloadPipe,
    _ progress: @escaping @Sendable (Int) -> Bool
  ) throws {
    while true {
      let before = pipe.size
      do {
        return try Download(
          trace.name, url: trace.url, bytes: nil, into: pipe, progress: progress
        ).run()
      } catch FetchError.cancelled {
        throw Stopped(
          description: "\(trace.name): stopped; a sample is made in one go, run it again")
      } catch FetchError.connection(_, _, let problem, _, _) where pipe.size == before {
        throw FetchError.noSample(name: trace.name, url: trace.url, problem: problem)
      } catch FetchError.connection {}
    }
  }
}
