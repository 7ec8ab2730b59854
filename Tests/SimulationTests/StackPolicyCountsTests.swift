import Eviction
import RecordedTraces
import Requests
import SimulatedCounts
import Testing

/// Hit counts of policies with stacks and ghosts, against their authors' programs and published tables.
@Suite(
  "Policies with stacks and ghosts count what was published", .inReleaseBuilds, .withPublicTraces)
struct StackPolicyCountsTests {
  /// Hits by capacity: the output of the program of LIRS's authors; the steps of the program of LIRS2's authors, of which
  /// no table is published for these traces, and in which S is full at times in most cells; and the steps of Caffeine's
  /// DClockPolicy. Steps were written down again in Python.
  static let rows: [(policy: String, trace: String, hits: KeyValuePairs<Int, Int>)] = [
    ("lirs", "lirs-2_pools.trace.gz", [99: 44_568, 500: 51_957, 1_500: 56_838, 4_000: 68_544]),
    ("lirs", "lirs-cpp.trace.gz", [20: 2_190, 61: 5_745, 180: 7_582, 490: 7_771]),
    ("lirs", "lirs-multi1.trace.gz", [26: 2_731, 130: 7_331, 390: 8_387, 1_000: 10_847]),
    ("lirs", "lirs-sprite.trace.gz", [70: 22_654, 350: 86_515, 1_100: 118_209, 2_800: 123_496]),
    ("lirs2", "lirs-2_pools.trace.gz", [99: 47_209, 500: 51_916, 1_500: 56_859, 4_000: 68_565]),
    ("lirs2", "lirs-cpp.trace.gz", [20: 1_932, 61: 5_730, 180: 7_561, 490: 7_756]),
    ("lirs2", "lirs-multi1.trace.gz", [26: 2_008, 130: 7_269, 390: 8_450, 1_000: 10_816]),
    ("lirs2", "lirs-sprite.trace.gz", [70: 32_191, 350: 89_678, 1_100: 115_180, 2_800: 121_835]),
    ("d-clock:demoted=newest", "lirs-cpp.trace.gz", [20: 589, 61: 1_478, 180: 7_295, 490: 7_764]),
    (
      "d-clock:demoted=newest:active=0.66", "lirs-multi1.trace.gz",
      [26: 278, 130: 2_707, 390: 7_751, 1_000: 7_889]
    ),
  ]

  @Test("LIRS, LIRS2 and D-Clock do what other programs do", arguments: rows)
  func counts(policy: String, trace: String, hits: KeyValuePairs<Int, Int>) throws {
    let stream = RequestStream(try WholeTraces.load(trace))
    for (capacity, published) in hits {
      #expect(try simulate(policy, stream, capacity: capacity).hits == published, "at \(capacity)")
    }
  }
}
