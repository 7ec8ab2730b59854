import DiskTier
import Eviction
import EvictionLifecycle
import EvictionMetrics
import Hummingbird
import Logging
import Recording

/// Pages that are rendered slowly, and kept in memory and on disk.
struct PageService {
  private let pages: TieredCache<String, ByteBuffer>
  private let recorder: TraceRecorder
  private let metrics: [CacheMetrics]
  private let export = TextMetrics()

  /// Opens the cache, and begins to record its requests.
  ///
  /// - Parameters:
  ///   - folder: The place of the cache on disk and of the recording.
  ///   - memory: The bytes that the pages in memory take at most.
  ///   - policy: The policy of the memory.
  init(folder: String, memory: Int, policy: CachePolicy) async throws {
    let disk = try await DiskCache<String, ByteBuffer>.open(
      path: folder + "/pages.cache", costLimit: 256 << 20, coder: .buffer)
    // What is recorded waits in memory until a file is full: about 13 MB.
    var recording = TraceRecorder.Options()
    recording.segmentRequests = 1 << 17
    recorder = try TraceRecorder(path: folder + "/pages.evtrace", options: recording)
    let curve = LiveMissRatioCurve(ratio: 1, countsCosts: true)
    var options = TieredCacheOptions()
    // Pages that wait for the disk take 64 MiB, if all of them are of the largest size.
    options.writing = .back(limit: 256)
    let pages = try TieredCache.open(
      disk: disk, costLimit: memory, policy: policy, observer: ObserverGroup(recorder, curve),
      options: options, memoryCost: { $0.readableBytes + 256 })
    metrics = [
      CacheMetrics("pages", of: pages, factory: export),
      CacheMetrics(
        "memory", curve: curve, capacities: [memory / 2, memory, memory * 2], factory: export
      ) { pages.tierStatistics.memory },
    ]
    self.pages = pages
  }

  /// The service's application. It stops at the signals of `runService`: first the server, then the recording,
  /// then the cache.
  func application(
    port: Int, logger: Logger, onStart: @escaping @Sendable (Int?) -> Void
  ) -> some ApplicationProtocol {
    let router = Router()
    router.get("pages/:name/:bytes") { request, context in
      let bytes = try context.parameters.require("bytes", as: Int.self)
      guard (0...1 << 18).contains(bytes) else { throw HTTPError(.badRequest) }
      let path = request.uri.path
      return try await pages.value(forKey: path) { render(path, bytes: bytes) }
    }
    router.get("metrics") { _, _ in
      for metrics in metrics { metrics.report() }
      return export.text
    }
    return Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
      services: [
        CacheService(closing: pages), CacheService { [recorder] in _ = try recorder.finish() },
      ],
      onServerRunning: { channel in onStart(channel.localAddress?.port) }, logger: logger)
  }

  private func render(_ path: String, bytes: Int) -> ByteBuffer {
    var page = ByteBuffer(string: path + "\n")
    page.writeRepeatingByte(UInt8(ascii: "."), count: max(bytes - page.readableBytes, 0))
    return page
  }
}

extension ValueCoder<ByteBuffer> {
  /// The bytes themselves.
  static var buffer: ValueCoder {
    ValueCoder(
      name: "buffer", encode: { Array($0.readableBytesView) }, decode: { ByteBuffer(bytes: $0) })
  }
}
