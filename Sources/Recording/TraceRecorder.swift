import EvictionCore
import Foundation
import Synchronization
import Traces

/// Records the requests of a running cache as a trace that every command here reads.
///
///     let recorder = try TraceRecorder(path: "images.evtrace")
///     let images = MemoryCache<Int, [UInt8]>(costLimit: 64 << 20, costs: .bytes, observer: recorder)
///     … the service runs …
///     let recording = try recorder.finish()
///     print(recording.files, recording.requests, recording.dropped)
///
/// **What is recorded.** Gets, sets and removals in the order in which the policy saw them, with the costs
/// as sizes. A get that missed and the set that followed are one get, as in every trace; a miss that no set
/// followed is counted, not recorded. So a replay of the trace under the cache's policy and limit has as many
/// hits as the cache had, unless the policy looks at hashes of keys. Corrections of costs without a request
/// and changed limits are not recorded.
///
/// **What it costs.** The cache's threads append 8 bytes to a ring, 16 where the cost is not 1, and never
/// wait; a thread of the recorder empties it. Events that do not fit are dropped and counted. Times are those of the recorder's
/// rounds (``Options/interval``), spread evenly within one, so that no clock is read for them.
///
/// **What leaves the process.** Neither keys nor values: a recorded key is SipHash-2-4 of the key's stable
/// hash, under a secret that is drawn for this recorder and never written. The same key has different
/// numbers in two recordings.
///
/// Of a hash, 60 bits are kept: two of a million keys are taken for one with a chance of 4 in ten million.
/// Costs above 2^40 are recorded as that.
///
/// **Bounds.** Memory is at most the ring, and for two segments (one that grows, one that is written) about
/// 100 bytes a request. A recording of more than ``Options/segmentRequests`` continues in a file of its own
/// (`images.2.evtrace`), each written whole or not at all: `TraceLoader/load(paths:name:format:columns:limit:expansion:progress:)`
/// reads them as one trace.
///
/// A recorder serves one cache; a second one that is made with it ends the process, as what two threads append
/// at once would be lost or torn.
public final class TraceRecorder: RingObserver {
  /// The options of a recorder.
  public struct Options: Sendable {
    /// The share of the keys that is recorded, with all of their requests; above 0, at most 1.
    public var sampledKeys = 1.0
    /// Events that wait for the recorder's thread at once, 8 bytes each; one of a cost other than 1
    /// counts twice.
    public var bufferedEvents = 1 << 19
    /// The interval at which the recorder's thread looks for events.
    public var interval = Duration.milliseconds(5)
    /// Requests of one file.
    public var segmentRequests = 1 << 22
    /// Requests after which nothing more is recorded.
    public var requestLimit = Int.max

    /// The defaults.
    public init() {}
  }

  /// The summary of a recording.
  public struct Recording: Sendable, Equatable {
    /// The files, in order; none when there was no request.
    public var files: [String]
    /// Requests in all files.
    public var requests: Int
    /// Events that came faster than they could be recorded.
    public var dropped: Int
    /// Misses that no set followed, which are no requests of the trace.
    public var missesWithoutSet: Int
  }

  /// The keys that are recorded.
  public let observedKeys: SpatialSample

  package let ring: EventRing
  private let thread: RecordingThread
  private let hasCache = Atomic(false)

  /// Starts recording.
  ///
  /// - Parameters:
  ///   - path: The file; its name says the format as in `TraceWriter`. Only `evt` keeps everything.
  ///   - options: The options of the recording.
  /// - Throws: `missing` when there is no such folder, `usage` when the name says no format.
  public convenience init(path: String, options: Options = Options()) throws(TraceError) {
    try self.init(path: path, options: options, keys: KeyedHash())
  }

  package init(path: String, options: Options, keys: KeyedHash) throws(TraceError) {
    precondition(options.segmentRequests > 0, "a file holds at least one request")
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    if !FileManager.default.fileExists(atPath: folder) { throw .missing(file: folder) }
    _ = try TraceWriter.format(nil, path: path)
    ring = EventRing(capacity: options.bufferedEvents)
    // Which keys are sampled depends on the secret, too.
    observedKeys = SpatialSample(ratio: options.sampledKeys, salt: keys.hash(of: 0))
    thread = RecordingThread(ring: ring, path: path, options: options, keys: keys)
    thread.start()
  }

  /// The file of a segment: `images.evtrace`, `images.2.evtrace`, `images.3.evtrace` …
  package static func path(_ path: String, segment: Int) -> String {
    if segment == 1 { return path }
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].dropFirst().firstIndex(of: ".") ?? path.endIndex
    return path[..<dot] + ".\(segment)" + path[dot...]
  }

  deinit { thread.stop() }

  /// Events dropped so far.
  public var dropped: Int { ring.dropped }

  /// Takes the one cache; another one traps.
  public func cacheBegins() {
    if hasCache.exchange(true, ordering: .relaxed) {
      fatalError("a TraceRecorder records one cache: make another, with a path of its own")
    }
  }

  /// Records what has happened until now, writes the last file and ends the recording.
  ///
  /// Without it, what came after the last whole file is lost. Further calls, by any thread, return the same.
  ///
  /// - Throws: Whatever kept a file from being written, when that happened first.
  public func finish() throws(TraceError) -> Recording {
    thread.stop()
    return try thread.wait()
  }
}
