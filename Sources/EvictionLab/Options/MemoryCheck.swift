import Parameters
import Traces

/// The check, while a trace is read, that there is memory for it and for what is done with it.
///
/// The bytes for requests grow as the file is read; the number of keys that are still to come is not known,
/// so that the estimate is too low rather than too high.
package struct MemoryCheck {
  private let trace: String
  private let bytesPerRequest: Int
  private let available: () -> Int?
  /// The bytes held at which to look again.
  private var next = 0

  /// - Parameters:
  ///   - trace: The trace's name.
  ///   - bytesPerRequest: The bytes that a run takes for each request beside the trace.
  ///   - available: Returns the memory that the process may still take.
  package init(
    trace: String, bytesPerRequest: Int,
    available: @escaping () -> Int? = { AvailableMemory.bytes() }
  ) {
    self.trace = trace
    self.bytesPerRequest = bytesPerRequest
    self.available = available
  }

  /// Refuses a trace of which clearly more is to come than there is memory for.
  ///
  /// - Parameters:
  ///   - progress: The requests so far.
  ///   - fraction: The fraction of the trace that is read; nil where it is not known.
  /// - Throws: ``TraceError/tooLarge(trace:needed:available:)``.
  package mutating func check(
    _ progress: TraceProgress, fraction: Double?
  ) throws(TraceError) {
    let held = progress.held.requestBytes + progress.held.keyBytes
    if held < next { return }
    let step = held / 8
    next = held + max(step, 1 << 20)
    guard let available = available() else { return }
    let requests = progress.held.requestBytes + progress.requests * bytesPerRequest
    let all = Double(requests) / min(max(fraction ?? 1, 1e-9), 1)
    let needed = max(Int(min(all, 1e18)) - progress.held.requestBytes, step)
    // Files are not packed evenly.
    if needed / 5 * 4 > available {
      throw .tooLarge(trace: trace, needed: needed, available: available)
    }
  }
}
