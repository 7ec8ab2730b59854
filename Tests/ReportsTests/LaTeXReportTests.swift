import Foundation
import Rendering
import Reports
import ResultSamples
import Results
import Testing

/// Foundation has a type of that name, too.
private typealias Measurement = Results.Measurement

/// Tables for papers.
@Suite struct LaTeXReportTests {
  private func run(
    _ policy: String, _ hits: Int, at capacity: Int = 100, of optimum: Int? = nil,
    on trace: String = "t", unit: Measurement.Unit = .objects
  ) -> Measurement {
    var run = Measurement(
      kind: .sweep, trace: trace, policy: policy, capacity: capacity, unit: unit)
    run.requests = 1_000
    run.hits = hits
    run.distanceToOptimum = optimum.map { Double($0 - hits) / 1_000 }
    return run
  }

  private func render(_ name: String, _ runs: [Measurement]) throws -> String {
    let results = ResultSet(environment: ResultSamples.environment, measurements: runs)
    return try #require(ReportFormats.form(named: name))
      .render(results, style: ReportStyle(bounds: ["opt"]))
  }

  @Test func minusSignsAreMinusSigns() throws {
    let runs = [("lru", -0.045), ("random-two", 0.1)].map { policy, reduction in
      var run = run(policy, 250)
      run.missRatioReduction = reduction
      return run
    }
    let text = try render("latex", runs)
    #expect(text.contains(" & $-$4.50 & "), "\(text)")
    #expect(text.contains("random-two") && !text.contains("& -"))
  }

  /// The speed of one simulation is noise; that of a replay is what was measured.
  @Test func speedIsThatOfReplays() throws {
    #expect(try !render("latex", [run("lru", 250)]).contains("requests/s"))
    #expect(try render("latex", [ResultSamples.replay]).contains("M requests/s"))
    #expect(try render("markdown", [run("lru", 250)]).contains("M requests/s"))
  }

  @Test func gridHasARowPerPolicyAndAColumnPerCapacity() throws {
    let runs = [
      run("lru", 300, of: 500), run("fifo", 200, of: 500), run("opt", 500, of: 500),
      run("arc", 400, of: 500),
      run("lru", 100, at: 20, of: 300), run("fifo", 100, at: 20, of: 300),
      run("opt", 300, at: 20, of: 300), run("arc", 100, at: 20, of: 300),
      run("lru", 600, at: 50, of: 700, on: "u_2"), run("fifo", 650, at: 50, of: 700, on: "u_2"),
      run("opt", 700, at: 50, of: 700, on: "u_2"),
    ]
    #expect(
      try render("latex-grid", runs) == #"""
        % EvictionLab: \usepackage{booktabs}

        % hit ratio in %; capacities in objects; rows are sorted by their means, those without a gap first
        % bold: the highest of a column, opt not counted; optimum: Belady's MIN with bypass
        \begin{tabular}{lrrr}
        \toprule
         & \multicolumn{2}{c}{t} & \multicolumn{1}{c}{u\_2} \\
        \cmidrule(lr){2-3}\cmidrule(lr){4-4}
        policy & 20 & 100 & 50 \\
        \midrule
        lru & 10.00 & 30.00 & 60.00 \\
        fifo & 10.00 & 20.00 & \textbf{65.00} \\
        arc & 10.00 & \textbf{40.00} & -- \\
        \midrule
        opt & 30.00 & 50.00 & 70.00 \\
        optimum & 30.00 & 50.00 & 70.00 \\
        \bottomrule
        \end{tabular}

        """#)
  }

  @Test func gridWithoutAnOptimumHasOneBlockAndSaysItsUnits() throws {
    let objects = [run("lru", 300), run("arc", 400)]
    let text = try render("latex-grid", objects)
    #expect(text.contains("% bold: the highest of a column\n"))
    #expect(text.components(separatedBy: "\\midrule").count == 2)
    let bytes = run("lru", 300, at: 3 << 20, unit: .bytes)
    #expect(try render("latex-grid", [bytes]).contains("capacities in MiB;"))
    let mixed = try render("latex-grid", objects + [bytes])
    #expect(mixed.contains("{t, objects} & \\multicolumn{1}{c}{t, MiB} \\\\\n"))
    #expect(mixed.contains("policy & 100 & 3 \\\\\n"))
  }

  @Test func hitsOfSeveralThreadsAreNotBold() throws {
    let replays = [300, 400].map { hits in
      var replay = ResultSamples.replay
      replay.policy = "p\(hits)"
      (replay.requests, replay.hits) = (1_000, hits)
      return replay
    }
    let text = try render("latex-grid", replays)
    #expect(text.contains("p400 & 40.00") && !text.contains("textbf"))
  }

  @Test func gridOfCurvesAloneShowsNothing() throws {
    let form = try #require(ReportFormats.form(named: "latex-grid"))
    let curves = ResultSet(environment: ResultSamples.environment, curves: [ResultSamples.curve])
    #expect(form.emptiness(of: curves, style: .plain)?.remedy == "evict sweep finds some")
    #expect(form.emptiness(of: ResultSamples.results, style: .plain)?.problem == nil)
  }
}
