// How often every interval that the tool prints holds the truth, on processes that it is made for and on others:
// the table of results/interval-coverage.md on standard output. A minute or two.
//
//     CoverageBenchmark [SIMULATIONS]
import Foundation
import IntervalCoverage

let simulations = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2_000

func percent(_ ratio: Double) -> String { String(format: "%.1f", ratio * 100) }

func table(_ cases: [CoverageCase], _ title: String, mark: (Double) -> String) throws {
  print("| \(title) | process | with an interval | % |  |")
  print("|:---|:---|---:|---:|:---|")
  for example in cases {
    let (ratio, intervals) = try example.coverage(simulations: simulations)
    print("| \(example) | \(intervals) | \(percent(ratio)) | \(mark(ratio)) |")
  }
}

print(
  """
  # How often intervals hold the truth

  Each interval is printed with 95 %. A line simulates it \(simulations) times with fixed seeds, on as many values as it
  says, and counts how often it holds the truth, of those that have an interval. *fails*: in less than 93 %. The
  process tells why: too few values for their dependence or skewness, or a process that the interval assumes away.
  Under a drift the stationary mean is that of the trace's own stretch. Made by `make coverage`; `CoverageTests` holds
  the code against this table.

  """)
try table(CoverageCase.all, "interval") { $0 < 0.93 ? "**fails**" : "" }
print(
  """

  The p-value of stationarity is no interval. Where the level stays, 95 % are at least 0.05; strong dependence makes
  fewer of it, and a drift should leave none.

  """)
try table(CoverageCase.stationarity, "p-value") { _ in "" }
