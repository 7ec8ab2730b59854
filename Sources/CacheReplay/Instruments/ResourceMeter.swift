import CInline
import Foundation
import Results

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The use that a run makes of the machine.
///
/// Made before the cache, as memory is what is resident at most, less what was resident before.
package final class ResourceMeter {
  private let residentBefore: Int?
  private var processorTime = 0.0

  init() {
    let resident = ResourceMeter.residentMemory
    residentBefore = ResourceMeter.resetPeak() ? resident : nil
  }

  /// The resident memory of this process in bytes, without what was freed; nil where that is unknown.
  private static var residentMemory: Int? {
    // What earlier runs have freed would hide what the next one takes.
    evl_release_free_memory()
    return status("VmRSS")
  }

  /// The bytes that the allocator has handed out and not got back; nil where that is unknown.
  package static var allocatedMemory: Int? {
    let bytes = evl_bytes_in_use()
    return bytes > 0 ? Int(bytes) : nil
  }

  /// From here on processor time is counted.
  func startCounting() { processorTime = ResourceMeter.processorSeconds }

  /// Returns the use since then.
  func use(allocations: Int?) -> ResourceUse {
    let used = ResourceMeter.processorSeconds - processorTime
    let peak = residentBefore.flatMap { before in
      ResourceMeter.status("VmHWM").map { max(0, $0 - before) }
    }
    return ResourceUse {
      $0.cpuSeconds = used
      $0.allocations = allocations
      $0.peakMemory = peak
    }
  }

  /// Time that all threads of this process have spent on processors.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Lets Linux forget how much memory was resident at most; false where that can't be done.
  private static func resetPeak() -> Bool {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return false }
    let written = fputs("5", file)
    return fclose(file) == 0 && written >= 0
  }

  /// A size in what Linux says of this process, in bytes.
  private static func status(_ name: String) -> Int? {
    let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
    return kibibytes.flatMap { Int($0) }.map { $0 * 1_024 }
  }
}
