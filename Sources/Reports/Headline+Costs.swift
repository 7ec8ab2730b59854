import Parameters
import Results

extension Headline {
  /// On each trace, the cheapest time to live of a rented cache, what it saves and why, and the cheapest store of one's
  /// own: of those that were run, and of LRU's at every size. Empty where no run has costs.
  ///
  /// - Parameter bounds: The names of policies that no cache could run.
  static func costs(of results: ResultSet, bounds: Set<String>) -> [String] {
    let priced = results.measurements.filter {
      $0.prefix?.costs != nil && $0.variation == nil && !bounds.contains($0.policy)
    }
    return priced.grouped(by: \.trace).flatMap { runs in
      let stores = runs.filter { $0.prefix?.rent == nil }
      return [
        rented(runs.filter { $0.prefix?.rent != nil }), store(stores),
        size(of: stores, in: results),
      ].compactMap(\.self)
    }
  }

  private static func total(_ run: Measurement) -> Double { run.prefix?.costs?.total ?? 0 }

  private static func money(_ cost: Double, of run: Measurement) -> String {
    "\(cost.digits(4)) \(run.prefix?.setup.prices?.currency ?? "")"
  }

  /// The time to live of a rented cache; beside another of as long a time also whether reads begin it anew.
  private static func life(_ run: Measurement, among runs: [Measurement]) -> String {
    let seconds = run.prefix?.rent?.timeToLive ?? 0
    let (unit, name) =
      [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")].first {
        seconds % $0.0 == 0
      } ?? (1, "s")
    let text = "\(seconds / unit)\u{A0}\(name)"
    if runs.count(where: { $0.prefix?.rent?.timeToLive == seconds }) == 1 { return text }
    let isRenewed = !run.parameters.contains {
      $0.key == "renewed" && $0.value.plainText == "false"
    }
    return text + (isRenewed ? " that reads renew" : " that no read renews")
  }

  /// `18 % less than 5 min`.
  private static func beside(_ cost: Double, _ other: Double, _ name: String) -> String {
    if cost == other || other == 0 { return "as much as \(name)" }
    let change = cost / other - 1
    return "\(percent(abs(change))) \(change < 0 ? "less" : "more") than \(name)"
  }

  private static func rented(_ runs: [Measurement]) -> String? {
    let ranked = runs.sorted { total($0) < total($1) }
    guard let best = ranked.first, let costs = best.prefix?.costs else { return nil }
    var sentence = "On \(best.trace) a time to live of \(life(best, among: runs)) "
    sentence += ranked.count > 1 ? "is cheapest: \(money(costs.total, of: best)), " : "costs "
    if ranked.count == 1 { sentence += "\(money(costs.total, of: best)), " }
    let others =
      ranked.dropFirst().map { beside(costs.total, total($0), life($0, among: runs)) }
      + [beside(costs.total, costs.withoutCache, "no cache")]
    var sentences = [sentence + others.joined(separator: ", ") + "."]
    let rising = runs.sorted {
      ($0.prefix?.rent?.timeToLive ?? 0) < ($1.prefix?.rent?.timeToLive ?? 0)
    }
    sentences += zip(rising, rising.dropFirst()).compactMap { breakEven($0, $1, among: runs) }
    let pauses = rising.grouped { $0.prefix?.rent?.timeToLive }.map { $0[0] }.compactMap { run in
      run.prefix?.rent?.pausesWithin.map { "\(percent($0)) are up to \(life(run, among: [run]))" }
    }
    if !pauses.isEmpty {
      sentences.append(
        "Of the pauses between prompts of a session, \(pauses.joined(separator: ", ")).")
    }
    if let tokens = best.prefix, let own = tokens.sessionHitRatio, tokens.hitTokens > 0 {
      let share = own * Double(tokens.tokens) / Double(tokens.hitTokens)
      sentences.append("Of the tokens read, \(percent(share)) are of the same session.")
    }
    return sentences.joined(separator: " ")
  }

  /// The sentence on the writes that a longer time to live spares, and those from which on it pays. Both times read and
  /// write the same tokens together, so it pays where its writes × (price − price of a read) are fewer. Nil where kept
  /// tokens cost, too, and where only one is renewed.
  private static func breakEven(
    _ short: Measurement, _ long: Measurement, among runs: [Measurement]
  ) -> String? {
    func terms(_ run: Measurement) -> (write: PromptPrices.Write, tokens: Int, read: Double)? {
      guard let prices = run.prefix?.setup.prices, let rent = run.prefix?.rent,
        let read = prices.read
      else { return nil }
      let writes = prices.writes.filter { $0.timeToLive == rent.timeToLive }
      return writes.count == 1 ? (writes[0], rent.writtenTokens, read) : nil
    }
    guard let less = terms(short), let more = terms(long), less.tokens > 0,
      less.write.storage == 0, more.write.storage == 0,
      less.write.isRenewed == more.write.isRenewed, more.write.price > more.read,
      more.write.price > less.write.price
    else { return nil }
    let spared = 1 - Double(more.tokens) / Double(less.tokens)
    let needed = 1 - max(0, less.write.price - less.read) / (more.write.price - more.read)
    return
      "\(life(long, among: runs)) spares \(percent(spared)) of the tokens that \(life(short, among: runs)) writes; it "
      + "pays from \(percent(needed)) on."
  }

  private static func store(_ runs: [Measurement]) -> String? {
    guard let best = runs.min(by: { total($0) < total($1) }), let costs = best.prefix?.costs else {
      return nil
    }
    let workers = best.prefix?.setup.workers ?? 1
    let gibibytes = Double(best.prefix?.bytes ?? 0) / 0x1p30 * Double(workers)
    return
      "A store of one's own on \(best.trace) costs least with \(gibibytes.digits(3)) GiB under "
      + "\(best.policyLabel): \(money(costs.total, of: best)), of which memory costs "
      + "\(money(costs.storage, of: best)), "
      + "\(beside(costs.total, costs.withoutCache, "no cache"))."
  }

  /// The size at which LRU costs least; nil where its hits at every size, or the costs of one cache of all prompts, are not
  /// known.
  ///
  /// Between two points of the curve memory and misses both grow in straight lines, so that none between them is cheaper.
  private static func size(of runs: [Measurement], in results: ResultSet) -> String? {
    guard
      let run = runs.first(where: {
        $0.prefix?.setup.workers == 1 && $0.prefix?.setup.definition == .own
      }),
      let prefix = run.prefix, let costs = prefix.costs, let bytes = prefix.bytes,
      let curve = results.references.first(where: {
        $0.trace == run.trace && $0.policyLabel == "lru" && $0.unit == run.unit
          && $0.definition == .own && $0.variation == nil
      })
    else { return nil }
    let memory = costs.storage / Double(run.capacity)
    func cost(_ point: MissRatioCurve.Point) -> Double {
      memory * Double(point.capacity) + point.missRatio * costs.withoutCache
    }
    guard let best = curve.points.min(by: { cost($0) < cost($1) }) else { return nil }
    let gibibytes = Double(bytes) / Double(run.capacity) * Double(best.capacity) / 0x1p30
    return "Of all sizes lru costs least with \(amount(best.capacity, curve.unit)), "
      + "\(gibibytes.digits(3)) GiB: \(money(cost(best), of: run)), "
      + "\(beside(cost(best), costs.withoutCache, "no cache"))."
  }
}
