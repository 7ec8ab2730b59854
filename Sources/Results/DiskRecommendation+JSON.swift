extension DiskRecommendation: Documented {
  package static let blank = DiskRecommendation(
    trace: "", pageSize: 0, durability: "", rounds: 0, inlineThreshold: 0, interval: 0...0,
    crossovers: [])
  package static let fields: [Field<DiskRecommendation>] = [
    Field("trace", \.trace, "the trace's name"),
    Field("pageSize", \.pageSize, "a database page, in bytes"),
    Field("durability", \.durability, "the promise of the store"),
    Field("rounds", \.rounds, .from(1), "the rounds that chose a threshold"),
    Field("inlineThreshold", \.inlineThreshold, "the threshold with the least time, in bytes"),
    Field("interval", \.interval, "the thresholds of single rounds"),
    .derived("coverage", \.coverage, "the confidence that `interval` holds the median round's"),
    Field("crossovers", \.crossovers, "where files become faster"),
    .derived("text", \.text, "the recommendation in words"),
  ]
}

extension DiskRecommendation.Crossover: Documented {
  package static let blank = DiskRecommendation.Crossover(
    operation: "", size: nil, low: nil, high: nil)
  package static let fields: [Field<DiskRecommendation.Crossover>] = [
    Field("operation", \.operation, "`read`, `coldRead`, `write` or `replace`"),
    Field("size", \.size, "the median of the rounds, in bytes: 0 for always, `null` for never"),
    Field("low", \.low, "the smallest of the rounds"),
    Field("high", \.high, "the largest of the rounds"),
  ]
}
