import Foundation
import Rendering
import Results
import Testing
import TraceAnalysis
import Traces

@Suite struct TraceReportsTests {
  private let plain: TraceProfile
  private let full: TraceProfile

  init() throws {
    var options = TraceProfile.Options()
    options.replicates = 0
    plain = try TraceProfile(
      Trace.of((0..<40).map { UInt64($0 % 4) }, name: "loop.txt"), options: options)
    full = try TraceProfile(
      Trace.of(
        [1, 2, 1, 3], name: "<a> & \"b\".csv", sizes: [1, 20, 1, 3],
        operations: [.get, .get, .get, .set], ttls: [1_500_000_000, 0, 0, 0]), options: options)
  }

  private func render(_ report: String, _ analyses: [TraceProfile]) throws -> String {
    try #require(TraceReports.form(named: report)).render(analyses, style: .plain)
  }

  @Test func tableIsAligned() throws {
    #expect(
      try render("table", [plain])
        == """
        loop.txt: loop of 4 keys: LRU will fail below that size

          format               memory
          requests             40
          distinct keys        4
          one-hit wonders      0.00 % of the keys, requested once
          compulsory misses    10.00 % of the requests
          top keys             0 (25.00 %), 1 (25.00 %), 2 (25.00 %), 3 (25.00 %)
          top 1 % of the keys  25.00 % of the requests
          Zipf α               0; no interval: the ranks of equal keys are chance
          goodness of fit      Kolmogorov–Smirnov distance 0; not tested
          working set          1 to 1 keys, median 1, in windows of 1 requests
          keys by half-time    4, then 0 new
          sequential           76.92 % of the requests are for the key after the one before
          never again          0.00 % of the requests are in runs of 16 or more for keys that do \
        not come back
          in order             87.50 % of the requests are for the key that came next the last time: \
        repeating
          drift                0.00 % of the requests for the most popular tenth of the keys, if it \
        is chosen by the first half: stable

        distribution           mean  p10  p25  p50  p75  p90  p99  max
        reuse time, requests  4.000    4    4    4    4    4    4    4
        reuse distance, keys  3.000    3    3    3    3    3    3    3

        """
    )
  }

  @Test func everyDocumentHasTheSameKeysInTheSameOrder() throws {
    let text = try render("json", [plain, full])
    let document = try JSON(reading: text.utf8)
    #expect(document["schema"] == "evictionlab.trace/1")
    guard case .array(let traces) = document["traces"] else {
      Issue.record("no traces")
      return
    }
    let keys = traces.map { trace -> [String] in
      if case .object(let members) = trace { members.map(\.key) } else { [] }
    }
    #expect(
      keys[0] == [
        "name", "format", "formatReason", "requests", "distinct", "bytes", "oneHitWonderRatio",
        "distinctBytes", "seconds",
        "compulsoryMissRatio", "topKeys", "topHundredthShare", "zipf", "workingSet", "reuseTime",
        "reuseDistance", "sequentialRatio", "neverAgainRatio", "inOrderRatio", "drift",
        "sizes", "sizeChangeRatio", "operations", "expiryRatio", "ttls", "prompts", "promptBlocks",
        "freshPromptRatio",
        "reusableTokenRatio", "meanAnswerTokens", "pattern", "reading",
      ])
    #expect(keys[1] == keys[0])
    #expect(traces[0]["bytes"] == nil && traces[1]["bytes"] == .integer(25))
    #expect(traces[0]["pattern"] == "loop")
    #expect(traces[1]["ttls"]?["max"] == .integer(1_500_000_000))
  }

  @Test func valuesFitTheirKeys() {
    for figure in plain.figures + full.figures {
      #expect(figure.values.count == type(of: figure).keys.count, "\(type(of: figure))")
    }
  }

  @Test func pageEscapesTextsAndLoadsNothing() throws {
    let page = try render("html", [plain, full])
    #expect(page.contains("&lt;a&gt; &amp; &quot;b&quot;.csv"))
    #expect(!page.contains("<script") && !page.contains("http") && !page.contains("url("))
    for chart in ["Popularity", "Working set", "Reuse distance", "Sizes"] {
      #expect(page.contains("<figcaption>\(chart)"))
    }
    #expect(!page.contains(/\b(nan|inf)\b/))
  }

  @Test func logarithmicScalesLeaveOutZero() {
    let scale = ChartScale(.logarithmic("requests"), values: [0, 3, 250])
    #expect(scale.ticks.map(\.label) == ["3", "10", "30", "100", "300"])
    #expect(scale.position(0) == nil && scale.contains(250))
  }

  @Test func linearScalesStartAtZero() {
    let scale = ChartScale(.linear("keys"), values: [12, 1_050])
    #expect(scale.ticks.map(\.label) == ["0", "200", "400", "600", "800", "1k", "1.2k"])
    #expect(scale.position(600) == 0.5)
    #expect(ChartScale(.linear("none"), values: []).ticks.map(\.label).first == "0")
  }
}
