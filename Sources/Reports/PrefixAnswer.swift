import Foundation
import Parameters
import Results

/// Caches of prefixes at one size of one trace, by one way of counting: lru, the orders beside it and the optimum, and
/// the hits that more blocks bring.
struct PrefixAnswer {
  /// A way of counting hits.
  enum Counting: CaseIterable {
    case tokens, prompts, blocks

    /// The way of a definition.
    init(_ definition: PrefixSetup.Definition) {
      switch definition {
      case .own, .kvcacheSimulator: self = .tokens
      case .aiperf: self = .prompts
      case .mooncake: self = .blocks
      }
    }

    /// The ratio of a run; nil where nothing was counted.
    func hitRatio(of run: Measurement) -> Double? {
      switch self {
      case .tokens: run.prefix?.tokenHitRatio
      case .prompts: run.prefix?.meanHitRatio
      case .blocks: run.hitRatio
      }
    }

    /// The name in tables.
    var name: String {
      switch self {
      case .tokens: "tokens"
      case .prompts: "mean of prompts"
      case .blocks: "blocks"
      }
    }

    /// The object of "hits 50 %".
    var whole: String {
      switch self {
      case .tokens: "of the tokens"
      case .prompts: "of the tokens of a prompt on average"
      case .blocks: "of the blocks"
      }
    }
  }

  /// An order, or a policy in its place.
  struct Order {
    let label: String
    let hitRatio: Double
    /// The hit ratio less that of lru.
    let gain: Double
    /// The gain as a fraction of the gap; nil where there is none.
    let closed: Double?
    /// The blocks that lru needs for as many hits, as a multiple of the size; infinite where it never hits as much, nil
    /// where its hits at every size are not known.
    let multiple: Double?
  }

  let trace: String
  let capacity: Int
  let setup: PrefixSetup
  let counting: Counting
  let lru: Double
  /// The others that a cache can run, the best first.
  let orders: [Order]
  /// Nil where it was not run, or not counted in this way.
  let optimum: Double?
  /// The ratio that no policy exceeds; nil where it is not known.
  let bound: Double?
  /// The distinct blocks of the trace; nil where they are not known.
  let distinct: Int?
  /// The hit ratio of lru with more blocks, and how many times as many.
  let larger: (multiple: Double, hitRatio: Double)?
  /// Those that cannot be told apart over other orders of the prompts, the best first; empty where none were run.
  let alike: [String]
  /// The number of the other orders.
  let variations: Int

  /// The optimum's hit ratio less that of lru.
  var gap: Double? { optimum.map { $0 - lru } }

  /// The order that hits most, if it gains anything in tenths of a point.
  var best: Order? { orders.first.flatMap { Headline.isGain($0.gain) ? $0 : nil } }

  /// The number of the others that hit as much as the best.
  var equals: Int { orders.dropFirst().count { $0.hitRatio == orders[0].hitRatio } }

  /// The fraction of the distinct blocks.
  var fraction: Double? { distinct.map { Double(capacity) / Double(max($0, 1)) } }
}

extension PrefixAnswer {
  /// A cell and its rules.
  private struct Place: Hashable {
    let place: CellKey.Place
    let setup: PrefixSetup

    init(_ run: Measurement) {
      place = CellKey.Place(run)
      var setup = run.prefix?.setup ?? PrefixSetup()
      // By that definition FIFO alone evicts freely.
      if setup.definition == .kvcacheSimulator { setup.residency = .leaves }
      self.setup = setup
    }
  }

  /// The answers of a document in its order, by the way of its definition or by another one.
  ///
  /// - Parameter bounds: The names of policies that no cache could run.
  static func all(
    of results: ResultSet, bounds: Set<String>, by counting: Counting? = nil
  ) -> [PrefixAnswer] {
    let runs = results.measurements.filter { $0.kind == .prefix && $0.variation == nil }
    return runs.grouped(by: Place.init).compactMap { alike in
      PrefixAnswer(alike, among: runs, of: results, bounds: bounds, by: counting)
    }
  }

  private init?(
    _ runs: [Measurement], among all: [Measurement], of results: ResultSet, bounds: Set<String>,
    by counting: Counting?
  ) {
    let place = Place(runs[0])
    let usual = Counting(place.setup.definition)
    let counting = counting ?? usual
    func hitRatio(_ runs: [Measurement]) -> Double? {
      runs.compactMap(counting.hitRatio).mean
    }
    let standing = Standing(
      trace: runs[0].trace, capacity: runs[0].capacity, unit: runs[0].unit,
      ratioName: runs[0].comparedHitRatioName, latencyUnit: nil, leastLatency: nil, scores: [])
    // The curve is one of a single plain cache.
    let curve =
      place.setup == PrefixSetup(place.setup.definition)
      ? LRUEquivalent(standing, in: results) : nil
    let ownCurve = counting == usual ? curve : nil
    guard
      let lru = hitRatio(runs.filter { $0.policyLabel == "lru" })
        ?? ownCurve?.hitRatio(at: standing.capacity)
    else { return nil }
    let told =
      counting == usual
      ? runs.compactMap { run in
        counting.hitRatio(of: run).flatMap { ratio in run.distanceToOptimum.map { $0 + ratio } }
      }.max() : nil
    let optimum = hitRatio(runs.filter { $0.policy == "opt" }) ?? told
    self.trace = standing.trace
    self.capacity = standing.capacity
    self.setup = place.setup
    self.counting = counting
    self.lru = lru
    self.optimum = optimum
    bound = counting == .tokens ? runs.compactMap { $0.prefix?.tokenHitRatioBound }.max() : nil
    distinct = place.setup.definition == .kvcacheSimulator ? nil : curve?.largest
    let contenders = runs.filter { $0.policyLabel != "lru" && !bounds.contains($0.policy) }
    let gap = optimum.map { $0 - lru }.flatMap { Headline.isGain($0) ? $0 : nil }
    orders = contenders.grouped(by: \.policyLabel).compactMap { runs -> Order? in
      guard let ratio = hitRatio(runs) else { return nil }
      return Order(
        label: runs[0].policyLabel, hitRatio: ratio, gain: ratio - lru,
        closed: gap.map { (ratio - lru) / $0 },
        multiple: ownCurve.map { $0.memory(for: ratio, at: standing.capacity) })
    }.sorted { $0.hitRatio > $1.hitRatio }
    if orders.isEmpty && optimum == nil { return nil }
    if let ownCurve {
      larger = (2, max(lru, ownCurve.hitRatio(upTo: 2 * standing.capacity)))
    } else if counting == usual {
      // Without the curve, the next size at which lru was run.
      let next = all.filter {
        $0.policyLabel == "lru" && $0.trace == standing.trace && $0.capacity > standing.capacity
          && Place($0).setup == place.setup
      }.min { $0.capacity < $1.capacity }
      larger = next.flatMap { run in
        counting.hitRatio(of: run).map {
          (Double(run.capacity) / Double(max(standing.capacity, 1)), $0)
        }
      }
    } else {
      larger = nil
    }
    let spreads =
      counting == usual
      ? runs.filter { !bounds.contains($0.policy) }.compactMap { run in
        run.spreads.first.map { (label: run.policyLabel, spread: $0) }
      }.sorted { $0.spread.mean > $1.spread.mean } : []
    variations = spreads.first?.spread.runs ?? 0
    alike = spreads.filter { other in
      let best = spreads[0].spread
      let noise = best.deviation * best.deviation + other.spread.deviation * other.spread.deviation
      return best.mean - other.spread.mean <= 2 * noise.squareRoot()
    }.map(\.label)
  }
}

// MARK: - In words

extension PrefixAnswer {
  /// The answer in sentences.
  var text: String {
    let share = fraction.map { " (\(Headline.percent($0)) of all)" } ?? ""
    var sentences = [
      "On \(trace) at \(Headline.amount(capacity, .blocks))\(share) lru hits "
        + "\(Headline.percent(lru)) \(counting.whole)"
        + (optimum.map { ", the optimum \(Headline.percent($0))" } ?? "") + "."
    ]
    if let gap, !Headline.isGain(gap) {
      sentences.append("No order can gain a tenth of a point.")
    } else if let best {
      let others = equals == 0 ? "" : equals == 1 ? " and 1 other" : " and \(equals) others"
      var text =
        "\(best.label)\(others) \(equals == 0 ? "hits" : "hit") \(Headline.percent(best.hitRatio)), "
        + "\(points(best.gain)) more"
      if let closed = best.closed { text += " and \(Headline.percent(closed)) of that gap" }
      if let multiple = best.multiple {
        text +=
          multiple.isFinite
          ? "; lru needs \(multiple.digits(3)) times the blocks for that"
          : "; lru never hits as much"
      }
      sentences.append(text + ".")
    } else if !orders.isEmpty {
      sentences.append("No order hits a tenth of a point more.")
    }
    if let noise { sentences.append(noise) }
    if let larger {
      let times = larger.multiple == 2 ? "Twice" : "\(larger.multiple.digits(2)) times"
      let more = larger.hitRatio - lru
      let conclusion = source.map { ": \($0.sentence)" } ?? ""
      sentences.append("\(times) the blocks bring lru \(points(more))\(conclusion).")
    }
    return sentences.joined(separator: " ")
  }

  /// The group that other orders of the prompts do not tell apart; nil where none were run.
  private var noise: String? {
    if alike.isEmpty { return nil }
    let shown = alike.prefix(4)
    let names =
      shown.joined(separator: ", ")
      + (alike.count > shown.count ? " and \(alike.count - shown.count) more" : "")
    let over = "over \(variations) other orders of the prompts"
    if alike.count == 1 { return "\(alike[0]) is ahead \(over)." }
    return "\(names) cannot be told apart \(over)"
      + (alike.contains("lru") ? ", so no gain over lru is certain." : ".")
  }

  /// The side from which more hits come.
  enum Source: String {
    case order, size, both, neither

    fileprivate var sentence: String {
      switch self {
      case .order: "the order matters more than size"
      case .size: "size matters more than the order"
      case .both: "the order brings as much as size"
      case .neither: "neither matters"
      }
    }
  }

  /// The larger of the best order's gain and of that of twice the blocks; nil where one of them is not known.
  var source: Source? {
    guard let larger, larger.multiple == 2, !orders.isEmpty else { return nil }
    let (ofOrder, ofSize) = (best?.gain ?? 0, larger.hitRatio - lru)
    if !Headline.isGain(max(ofOrder, ofSize)) { return .neither }
    if !Headline.isGain(abs(ofOrder - ofSize)) { return .both }
    return ofOrder > ofSize ? .order : .size
  }

  private func points(_ difference: Double) -> String {
    "\(Headline.number(difference)) points"
  }
}

extension Array<PrefixAnswer> {
  /// Of each trace and its rules the answer at the size that is nearest to a tenth of the blocks, else at the middle one.
  var typical: [PrefixAnswer] {
    grouped { [$0.trace, "\($0.setup)"] }.compactMap { answers in
      let sorted = answers.sorted { $0.capacity < $1.capacity }
      let known = sorted.filter { ($0.fraction ?? 0) > 0 }
      func distance(_ answer: PrefixAnswer) -> Double { abs(log((answer.fraction ?? 1) * 10)) }
      return known.min { distance($0) < distance($1) } ?? sorted[sorted.count / 2]
    }
  }

  /// The sentences on each trace, at most on this number.
  func sentences(most: Int) -> [String] {
    let typical = typical
    let others = typical.count - most
    return typical.prefix(most).map(\.text)
      + (others > 0
        ? ["\(others) more \(others == 1 ? "trace is" : "traces are") in the tables."] : [])
  }
}
