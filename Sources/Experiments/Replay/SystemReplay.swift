import CacheReplay
import EvictionCore
import Foundation
import Parameters
import Requests
import Results
import Runner
import Synchronization
import Systems
import Traces

/// Replays a trace through a system, with real values, as it is done through a cache.
///
/// The system's clock follows the trace's times, or makes a thousand requests a second. A value has the bytes of the
/// key's first request, at least eight, and begins with the key's number.
struct SystemReplay: Sendable {
  let choice: SystemChoice
  /// The policy of this project's own caches.
  let policy: PolicyChoice
  /// The folder in which systems make folders of their own.
  let folder: String

  /// The start of the names of these folders.
  static let scratch = "evict-system"
  /// The first failure of a system, and its use at the end of the first pass.
  private final class Findings: Sendable {
    let failure = Mutex<SystemError?>(nil)
    let use = Mutex<SystemUse?>(nil)
    let bytesSet = Atomic(0)

    /// Calls `body`; notes an error instead of throwing it, and calls nothing after one.
    func noting<Value>(_ body: () throws(SystemError) -> Value) -> Value? {
      if failure.withLock({ $0 != nil }) { return nil }
      do throws(SystemError) {
        return try body()
      } catch {
        failure.withLock { $0 = $0 ?? error }
        return nil
      }
    }
  }

  /// - Returns: The outcome and the use of the system, or nil if the observer stopped the replay.
  func run(
    _ stream: RequestStream, options: ReplayOptions, observer: (Int) -> Bool
  ) throws(ExperimentError) -> (outcome: ReplayOutcome, use: SystemUse?)? {
    let findings = Findings()
    let sizes = ValueSizes(of: stream)
    let keys = SystemReplay.keys(of: stream)
    let passes = ReplayPasses(stream: stream, options: options) {
      (lock) throws(ExperimentError) -> ReplayedCache in
      try cache(
        of: stream, options: options.run, keys: keys, sizes: sizes, lock: lock, findings: findings)
    }
    let outcome = try passes.run { done in
      observer(done) && findings.failure.withLock { $0 == nil }
    }
    if let failure = findings.failure.withLock({ $0 }) { throw .system(failure) }
    return outcome.map { ($0, findings.use.withLock { $0 }) }
  }

  /// Every key of the trace, by its number.
  private static func keys(of stream: RequestStream) -> [SystemKey] {
    (0..<stream.trace.distinct).map { id in
      SystemKey(
        id: UInt32(id), hash: stream.keyHashes?[id] ?? 0,
        keyLength: stream.keyLengths.map { Int($0[id]) } ?? 0)
    }
  }

  private func setup(
    _ options: RunOptions, isSized: Bool, keys: [SystemKey], folder: String, lock: LockMaker
  ) -> SystemSetup {
    var setup = SystemSetup(choice.arguments, capacity: options.capacity)
    setup.isSized = isSized
    setup.seed = options.seed
    setup.folder = folder
    setup.key = { keys[Int($0)] }
    setup.policy = policy.entry.policy.with(
      PolicyDescription.ownParameters(of: policy.specification))
    setup.lock = { lock($0) }
    return setup
  }

  private func cache(
    of stream: RequestStream, options: RunOptions, keys: [SystemKey], sizes: ValueSizes,
    lock: LockMaker,
    findings: Findings
  ) throws(ExperimentError) -> ReplayedCache {
    // A pass may end before anybody sees that it failed; the next one would then fail for a reason of its own.
    if let failure = findings.failure.withLock({ $0 }) { throw .system(failure) }
    let scratch = try makeFolder()
    let path = scratch?.path ?? ""
    // Before the system is made.
    let memory = ResourceMeter.allocatedMemory
    let written = DiskActivity.bytesWritten
    let setup = setup(
      options, isSized: stream.isSized, keys: keys, folder: path, lock: lock)
    let system: any CacheSystem
    do throws(SystemError) { system = try choice.system.init(setup) } catch { throw .system(error) }
    findings.bytesSet.store(0, ordering: .relaxed)
    let background = choice.background
    let start = stream.times.map { $0[0] } ?? 0
    return ReplayedCache(
      value: { key in
        let value = findings.noting { () throws(SystemError) in try system.value(forKey: key.id) }
        return value.flatMap { $0 }.map(SystemReplay.key)
      },
      set: { key, cost, _, _ in
        let value = SystemReplay.value(of: key.id, bytes: sizes[key.id])
        findings.bytesSet.add(value.count, ordering: .relaxed)
        _ = findings.noting { () throws(SystemError) in
          try system.set(value, forKey: key.id, cost: cost)
        }
      },
      removeValue: { key in
        _ = findings.noting { () throws(SystemError) in try system.remove(key.id) }
      },
      // The cost that a resident came with is not needed: sets of the trace bring their own.
      cost: { _ in nil }, setCost: { _, _ in },
      statistics: { system.statistics },
      begins: { index in
        let time = stream.times.map { UInt64(max(0, $0[index] &- start)) }
        setup.clock.advance(to: time ?? UInt64(index) * 1_000_000)
        if background > 0 && (index + 1) % background == 0 { setup.events.post(.background) }
      },
      ends: {
        _ = findings.noting { () throws(SystemError) in try system.finish() }
        findings.use.withLock { use in
          if use != nil { return }
          use = SystemUse { $0.bytesSet = findings.bytesSet.load(ordering: .relaxed) }
          let residents = system.statistics.count
          use?.residents = residents > 0 ? residents : nil
          if let memory, let after = ResourceMeter.allocatedMemory {
            use?.memory = max(0, after - memory)
          }
          guard let scratch else { return }
          let files = DiskActivity.files(in: scratch.path).filter { !$0.hasSuffix("/.in-use") }
          use?.files = files.count
          use?.diskBytes = DiskActivity.allocation(of: files)
          if let written, let after = DiskActivity.bytesWritten {
            use?.bytesWritten = after - written
          }
        }
        withExtendedLifetime(scratch) {}
      })
  }

  private func makeFolder() throws(ExperimentError) -> ScratchFolder? {
    if !choice.information.usesDisk { return nil }
    do throws(TraceError) {
      return try ScratchFolder(in: folder, kind: SystemReplay.scratch)
    } catch {
      throw .store(DiskExperimentError.folder(path: folder, problem: "no folder can be made in it"))
    }
  }

  /// The value of a key: its number, and bytes that follow from it.
  private static func value(of key: UInt32, bytes: Int) -> SystemValue {
    SystemValue(unsafeUninitializedCapacity: bytes) { buffer, count in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      count = raw.count
      _ = raw.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: key))
      raw.storeBytes(of: key, as: UInt32.self)
    }
  }

  /// The number in a value.
  private static func key(_ value: SystemValue) -> UInt32 {
    value.withUnsafeBytes { $0.count < 4 ? .max : $0.loadUnaligned(as: UInt32.self) }
  }
}

/// The bytes of the values that systems hold: the first that the key's requests tell, at least eight.
struct ValueSizes: Sendable {
  private var sizes: [UInt32]
  private static let least = 8

  /// - Complexity: O(requests).
  init(of stream: RequestStream) {
    sizes = [UInt32](repeating: 0, count: stream.trace.distinct)
    for index in 0..<stream.requests {
      let id = Int(stream.ids[index])
      if sizes[id] > 0 { continue }
      let size = stream.trace.sizes.map { Int(clamping: $0[index]) } ?? 0
      if size == ColumnSource.unknownSize { continue }
      sizes[id] = UInt32(clamping: max(size, ValueSizes.least))
    }
  }

  /// The bytes of a key's value; the least for one whose size no request tells.
  subscript(key: UInt32) -> Int { max(ValueSizes.least, Int(sizes[Int(key)])) }
}
