import Rendering
import Testing

/// Scales and inks of charts.
@Suite struct ChartTests {
  @Test func percentilesGiveEveryNineTheSameRoom() {
    let scale = ChartScale(.percentile("gets"), values: [0, 0.5, 0.9, 0.999])
    #expect(scale.ticks.map(\.label) == ["0", "90", "99", "99.9"])
    #expect(scale.position(0) == 0)
    for (value, position) in [(0.9, 1.0 / 3), (0.99, 2.0 / 3), (0.999, 1)] {
      #expect(abs((scale.position(value) ?? 0) - position) < 1e-9)
    }
    #expect(scale.position(1) == nil && scale.position(-0.1) == nil)
  }

  @Test func rangesStartNearTheSmallestValue() {
    let scale = ChartScale(.range("hit ratio %"), values: [61, 68])
    #expect(scale.ticks.map(\.label) == ["61", "62", "63", "64", "65", "66", "67", "68"])
    #expect(scale.position(61) == 0 && scale.position(68) == 1)
    let below = ChartScale(.range("p"), values: [-3, 4])
    #expect(below.ticks.map(\.label).contains("0") && below.position(-3) == 0)
    for same in [0.0, 5, -2] {
      let flat = ChartScale(.range("p"), values: [same, same])
      #expect(flat.position(same) != nil && flat.ticks.count > 1)
    }
  }

  @Test func wholeNumbersHaveNoFractionsBetween() {
    #expect(ChartScale(.whole("threads"), values: [1, 2]).ticks.map(\.label) == ["0", "1", "2"])
    #expect(ChartScale(.whole("threads"), values: [64]).ticks.count < 12)
  }

  @Test func scalesHoldWhatCannotBeShown() {
    let axes: [Chart.Axis] = [
      .linear("a"), .whole("a"), .range("a"), .logarithmic("a"), .percentile("a"),
    ]
    let lists: [[Double]] = [[], [.nan], [.infinity, -.infinity], [0]]
    for axis in axes {
      for values in lists {
        let scale = ChartScale(axis, values: values)
        #expect(scale.position(.nan) == nil && !scale.ticks.isEmpty)
        let wrong = scale.ticks.filter { $0.label.contains("nan") || $0.label.contains("inf") }
        #expect(wrong.isEmpty)
      }
    }
  }

  @Test func sixteenInksDiffer() {
    let classes = (0..<16).map { ChartInk.member($0).classes }
    #expect(Set(classes).count == 16)
    #expect(classes[0] == "ink-1" && classes[8] == "ink-1 dashed")
  }
}
