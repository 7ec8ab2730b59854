import Eviction
import RecordedTraces
import Requests
import SimulatedCounts
import Testing

/// Hit counts of policies with stacks and ghosts, against their authors' programs and published tables.
@Suite(
  "Policies with stacks and ghosts count what was published", .inReleaseBuilds, .withPublicTraces)
struct StackPolicyCountsTests {
  struct Row: CustomTestStringConvertible {
    let policy: String
    let trace: String
    /// Hits by capacity.
    let hits: KeyValuePairs<Int, Int>

    var testDescription: String { "\(policy) on \(trace)" }
  }

  /// The output of the program of LIRS's authors.
  static let authors = [
    Row(
      policy: "lirs", trace: "lirs-2_pools.trace.gz",
      hits: [99: 44_568, 500: 51_957, 1_500: 56_838, 4_000: 68_544]),
    Row(
      policy: "lirs", trace: "lirs-cpp.trace.gz",
      hits: [20: 2_190, 61: 5_745, 180: 7_582, 490: 7_771]),
    Row(
      policy: "lirs", trace: "lirs-multi1.trace.gz",
      hits: [26: 2_731, 130: 7_331, 390: 8_387, 1_000: 10_847]),
    Row(
      policy: "lirs", trace: "lirs-sprite.trace.gz",
      hits: [70: 22_654, 350: 86_515, 1_100: 118_209, 2_800: 123_496]),
  ]

  /// The steps of the program of LIRS2's authors, written down again in Python: no table of its hits is published for
  /// these traces. In most cells S is full at times.
  static let laterAuthors = [
    Row(
      policy: "lirs2", trace: "lirs-2_pools.trace.gz",
      hits: [99: 47_209, 500: 51_916, 1_500: 56_859, 4_000: 68_565]),
    Row(
      policy: "lirs2", trace: "lirs-cpp.trace.gz",
      hits: [20: 1_932, 61: 5_730, 180: 7_561, 490: 7_756]),
    Row(
      policy: "lirs2", trace: "lirs-multi1.trace.gz",
      hits: [26: 2_008, 130: 7_269, 390: 8_450, 1_000: 10_816]),
    Row(
      policy: "lirs2", trace: "lirs-sprite.trace.gz",
      hits: [70: 32_191, 350: 89_678, 1_100: 115_180, 2_800: 121_835]),
  ]

  /// The steps of Caffeine's DClockPolicy, written down again in Python.
  static let caffeine = [
    Row(
      policy: "d-clock:demoted=newest", trace: "lirs-cpp.trace.gz",
      hits: [20: 589, 61: 1_478, 180: 7_295, 490: 7_764]),
    Row(
      policy: "d-clock:demoted=newest:active=0.66", trace: "lirs-multi1.trace.gz",
      hits: [26: 278, 130: 2_707, 390: 7_751, 1_000: 7_889]),
  ]

  @Test(
    "LIRS, LIRS2 and D-Clock do what other programs do",
    arguments: authors + laterAuthors + caffeine)
  func authorsCounts(row: Row) throws {
    let stream = RequestStream(try WholeTraces.load(row.trace))
    for (capacity, hits) in row.hits {
      #expect(try simulate(row.policy, stream, capacity: capacity).hits == hits, "at \(capacity)")
    }
  }
}
