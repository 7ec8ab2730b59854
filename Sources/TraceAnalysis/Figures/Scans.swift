import Rendering
import Results
import Traces

/// Requests that no cache of any policy gains from keeping for recency's sake.
package struct Scans: TraceFigure, Equatable {
  /// The share of the requests, without the first, whose key is the previous request's plus one; nil
  /// where keys are texts.
  package let sequentialRatio: Double?
  /// The share of the requests that stand in runs of at least ``leastRun`` requests in a row whose keys
  /// are never requested again.
  ///
  /// The last request of each key is one of those; a trace's end, where that holds for most keys, adds
  /// a little.
  package let neverAgainRatio: Double

  /// From this length on a run of requests that are never repeated is a scan. By chance it hardly
  /// happens: where half of all requests are the last of their keys, one run in 65 536 gets so long.
  package static let leastRun = 16

  /// Their names in a document.
  package static let keys = ["sequentialRatio", "neverAgainRatio"]

  /// The values in a document.
  package var values: [JSON] { [.optional(sequentialRatio), .number(neverAgainRatio)] }

  /// The facts for readers.
  package var facts: [TraceFact] {
    (sequentialRatio.map {
      [
        TraceFact(
          "sequential", "\($0.percent) of the requests are for the key after the one before")
      ]
    } ?? []) + [
      TraceFact(
        "never again",
        "\(neverAgainRatio.percent) of the requests are in runs of \(Scans.leastRun) or more for keys "
          + "that do not come back")
    ]
  }
}

final class ScanAnalyser: TraceAnalyser {
  private let trace: Trace
  private let keys: Column<UInt64>?
  private var sequential = 0
  private var before: UInt64?

  init?(_ trace: Trace, options: TraceProfile.Options) {
    self.trace = trace
    keys = trace.integerKeys
  }

  func take(_ block: AnalysisBlock) {
    guard let keys else { return }
    keys.withUnsafeBufferPointer { keys in
      // The first request follows none: a key that is not one above itself stands for it.
      var previous = before ?? keys[Int(block.ids[0])]
      var sequential = 0
      for id in block.ids {
        let key = keys[Int(id)]
        sequential += key == previous &+ 1 && key != 0 ? 1 : 0
        previous = key
      }
      self.sequential += sequential
      before = previous
    }
  }

  func finish(_ uses: KeyUses) -> Scans {
    let followers = trace.requests - 1
    return Scans(
      sequentialRatio: keys == nil || followers == 0
        ? nil : Double(sequential) / Double(followers),
      neverAgainRatio: Double(neverAgain(uses)) / Double(trace.requests))
  }

  private func neverAgain(_ uses: KeyUses) -> Int {
    var isLast = [UInt64](repeating: 0, count: trace.requests / 64 + 1)
    for id in 0..<uses.count {
      let place = Int(uses[id].last) - 1
      isLast[place >> 6] |= 1 << UInt64(place & 63)
    }
    var (total, run) = (0, 0)
    func endRun() {
      if run >= Scans.leastRun { total += run }
      run = 0
    }
    // The bit after the last request is never set, so that every run ends.
    for word in isLast {
      // From the lowest bit on, a stretch of ones and one of zeros at a time.
      var (rest, left) = (word, 64)
      while left > 0 {
        let ones = min((~rest).trailingZeroBitCount, left)
        run += ones
        left -= ones
        if left == 0 { break }
        endRun()
        rest >>= UInt64(ones)
        let zeros = min(rest.trailingZeroBitCount, left)
        rest >>= UInt64(zeros)
        left -= zeros
      }
    }
    return total
  }
}
