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
    let alike = ChartScale(.range("p"), values: [58.33333333333333, 58.333333333333336])
    #expect(alike.position(58.33333333333333)?.isFinite == true && alike.ticks.count > 1)
    for same in [0.0, 5, -2] {
      let flat = ChartScale(.range("p"), values: [same, same])
      #expect(flat.position(same) != nil && flat.ticks.count > 1)
    }
  }

  @Test func wholeNumbersHaveNoFractionsBetween() {
    #expect(ChartScale(.whole("threads"), values: [1, 2]).ticks.map(\.label) == ["1", "2"])
    #expect(ChartScale(.whole("threads"), values: [1, 64]).ticks.count < 12)
  }

  @Test func scalesHoldWhatCannotBeShown() {
    let axes: [Chart.Axis] = [
      .linear("a"), .whole("a"), .range("a"), .logarithmic("a"), .bytes("a"), .nanoseconds("a"),
      .percentile("a"),
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

  @Test func logarithmicAxesGoLittleFurtherThanTheirValues() {
    let scale = ChartScale(.logarithmic("capacity"), values: [20, 201])
    #expect(scale.ticks.map(\.label) == ["20", "50", "100", "200"])
    #expect(
      !scale.contains(10) && scale.contains(20) && scale.contains(201) && !scale.contains(300))
    #expect(ChartScale(.logarithmic("ns"), values: [1, 1e6]).ticks.count == 7)
    let near = ChartScale(.logarithmic("ns"), values: [700, 760])
    #expect(near.ticks.count > 2 && near.ticks.allSatisfy { (0...1).contains($0.position) })
  }

  @Test func ticksOfRangesAreMultiplesOfTheirStep() {
    let scale = ChartScale(.range("points"), values: [-5.2, 13])
    #expect(scale.ticks.map(\.label) == ["−5", "0", "5", "10"])
  }

  @Test func bytesAreLabelledInBinaryUnits() {
    let wide = ChartScale(.bytes("capacity"), values: [0x1p18, 0x1p28])
    #expect(
      wide.ticks.map(\.label) == ["256 KiB", "1 MiB", "4 MiB", "16 MiB", "64 MiB", "256 MiB"])
    #expect(abs((wide.position(0x1p23) ?? 0) - 0.5) < 1e-9)
    let near = ChartScale(.bytes("capacity"), values: [1_500, 1_600])
    #expect(
      near.ticks.count > 1 && near.ticks.allSatisfy { (-1e-9...1 + 1e-9).contains($0.position) })
    #expect(ChartScale(.bytes("size"), values: [1, 0x1p60]).ticks.count < 8)
  }

  @Test func timesAreLabelledInTheirUnits() {
    #expect(
      ChartScale(.nanoseconds("latency"), values: [10, 1e7]).ticks.map(\.label)
        == ["10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms"])
  }

  /// Two or three sizes are the labels of their axis; those that would touch are left out.
  @Test func fewDotsAreLabelledAtTheirValues() {
    func labels(_ values: [Double], _ style: Chart.Series.Style = .dots) -> [String] {
      let svg = Chart(
        title: "t", x: .logarithmic("x"), y: .linear("y"),
        series: [.init("a", style, points: values.map { ($0, 1) })]
      ).svg
      return svg.matches(of: /text-anchor="middle">([0-9.k]+)</).map { String($0.1) }
    }
    #expect(labels([216, 433]) == ["216", "433"])
    #expect(labels([216, 217, 433]) == ["216", "433"])
    #expect(!labels([216]).contains("216") && !labels([11, 23, 37, 41]).contains("23"))
    #expect(!labels([216, 433], .line).contains("216"))
  }

  private func chart(_ series: [Chart.Series]) -> Chart {
    Chart(title: "t", x: .linear("x"), y: .linear("y"), series: series)
  }

  @Test func labelsStandAtTheEndsOfLinesAndApart() throws {
    let names = ["a", "b", "c"]
    let svg = chart(names.map { .init($0, .line, points: [(0, 1), (1, 2)]) }).svg
    let places = svg.matches(of: /y="([0-9.]+)" class="label"[^>]*>([abc])</)
    #expect(Set(places.map { String($0.2) }) == Set(names))
    let heights = try places.map { try #require(Double($0.1)) }.sorted()
    #expect(zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= 12.9 })
    #expect(!chart([.init("a", .line, points: [(0, 1)])]).svg.contains("class=\"label\""))
  }

  @Test(arguments: [[1.0], [0, 0, 0, 0], [100, 100, 50], Array(repeating: 3, count: 40)])
  func labelsStandBesideThePlot(_ ends: [Double]) throws {
    let series = ends.enumerated().map { number, end in
      Chart.Series("s\(number)", number == 0 ? .dots : .line, points: [(0, 1), (1, end)])
    }
    let svg = chart(series).svg
    let size = try #require(svg.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/))
    let bottom = try #require(Double(size.2)) - 42
    let places = try svg.matches(of: /x="([0-9.]+)" y="([0-9.]+)" class="label"/).map {
      (x: try #require(Double($0.1)), y: try #require(Double($0.2)))
    }
    #expect(places.count == (ends.count == 1 ? 0 : ends.count))
    #expect(Set(places.map(\.x)).count <= 1)
    #expect(places.allSatisfy { (10...bottom + 4.1).contains($0.y) })
    let heights = places.map(\.y).sorted()
    #expect(zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= 12.9 })
  }

  @Test func seriesWithoutANameLeaveItsRoom() {
    let lines = [false, true].map { isLabelled in
      chart([
        .init("a", .line, points: [(0, 1), (1, 2)]),
        .init("a very long name", .dashes, points: [(0, 1), (1, 2)], isLabelled: isLabelled),
      ]).svg
    }
    #expect(!lines[0].contains(">a very long name</text>"))
    #expect(lines[1].contains(">a very long name</text>"))
  }

  @Test func dashedLinesEndAtTheAxes() throws {
    let svg = chart([
      .init("measured", .line, points: [(1, 10), (2, 5)]),
      .init("all", .dashes, points: [(0, 0), (1.5, 40), (3, 90)]),
    ]).svg
    let path = try #require(svg.firstMatch(of: /class="stroke dashes" d="([^"]*)"/))
    let heights = path.1.matches(of: #/ ([0-9.]+)/#).compactMap { Double($0.1) }
    #expect(!heights.isEmpty && heights.allSatisfy { (9.9...228.1).contains($0) })
  }

  @Test func dashedLinesAreNotCutOffAtTheTop() {
    let chart = chart([
      .init("measured", .line, points: [(1, 10), (2, 5)]),
      .init("all", .dashes, points: [(1.5, 40), (3, 90)]),
    ])
    #expect(chart.svg.contains(">40<") && !chart.svg.contains(">90<"))
  }

  @Test func stripsShowValuesBeyondTheirEnds() {
    let strip = Strip([("s", 0.5), ("t", -9)], in: -1...1, ink: .member(0)).svg
    #expect(strip.matches(of: /class="dot"/).count == 1)
    #expect(strip.matches(of: /class="beyond" cx="4.0"/).count == 1)
    #expect(strip.contains("aria-label=\"s 0.500, t −9.00\""))
  }

  @Test func sixteenInksDiffer() {
    let classes = (0..<16).map { ChartInk.member($0).classes }
    #expect(Set(classes).count == 16)
    #expect(classes[0] == "ink-1" && classes[8] == "ink-1 dashed")
  }

  /// A line that stands alone is none of too many.
  @Test func aLineAloneIsNotFaint() {
    func ink(_ names: [String]) -> ChartInk {
      Chart(
        title: "t", x: .linear("x"), y: .linear("y"),
        series: names.map { Chart.Series($0, .line, ink: .faint, points: [(1, 1), (2, 2)]) }
      ).ink(of: 0)
    }
    #expect(ink(["a"]) == .member(0))
    #expect(ink(["a", "b"]) == .faint)
  }

  /// A point says its values as its axes do, with what they are.
  @Test(arguments: [
    (Chart.Axis.bytes("capacity"), 1_024_000.0, "1000 KiB (capacity)"),
    (.bytes("capacity"), 1_536, "1.5 KiB (capacity)"), (.percentile("gets"), 0.99, "99 (gets)"),
    (.percentile("gets"), 0.99999, "99.999 (gets)"), (.linear("ns"), 1234.6, "1235 (ns)"),
    (.whole(""), 2, "2.000"), (.nanoseconds("latency"), 2_500, "2.5 µs (latency)"),
  ])
  func pointsSayTheirValues(_ axis: Chart.Axis, _ value: Double, _ text: String) {
    #expect(axis.title(of: value) == text)
  }
}
