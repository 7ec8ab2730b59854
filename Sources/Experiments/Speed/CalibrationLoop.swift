import CacheReplay
import Runner

/// Work that never changes, as a measure of how fast the machine is at this moment: a walk through four
/// megabytes in an order that no prefetcher guesses, with a multiplication and a branch at each step, as
/// a simulation's requests have them.
struct CalibrationLoop: ~Copyable {
  /// Steps of one run: about ten milliseconds.
  static let steps = 1 << 20

  private let cells: UnsafeMutableBufferPointer<UInt32>
  private var sum: UInt64 = 1

  init() {
    cells = .allocate(capacity: 1 << 20)
    cells.initialize(repeating: 0)
  }

  deinit { cells.deallocate() }

  /// Nanoseconds of processor time of a step, now.
  mutating func nanosecondsPerStep() -> Double {
    let start = Clock.threadTime()
    var state = sum | 1
    for _ in 0..<CalibrationLoop.steps {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let place = Int(truncatingIfNeeded: state >> 44)
      let value = cells[place]
      cells[place] = value & 1 == 0 ? value &+ 1 : value ^ UInt32(truncatingIfNeeded: state >> 7)
      state ^= UInt64(value)
    }
    sum = state
    return Double(Clock.threadTime() - start) / Double(CalibrationLoop.steps)
  }
}
