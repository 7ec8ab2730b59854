import Foundation

/// A prompt of a naive run.
struct NaivePrompt {
  let number: Int
  let chain: [UInt64]
  let tokens: Int
  let output: Int
  /// The tokens of each block if it is whole.
  let wholeTokens: [Int]

  /// The last block if it is not full.
  var end: UInt64? { tokens < wholeTokens.reduce(0, +) ? chain.last : nil }
}

/// Values of blocks, by dictionaries.
protocol NaiveLeafOrder: AnyObject {
  func request(_ prompt: NaivePrompt)
  func value(of block: UInt64, at prompt: Int) -> Double
}

/// A cache that evicts the leaf of the lowest value, found by a search of everything.
final class NaiveLeafCache {
  let order: any NaiveLeafOrder
  let capacity: Int
  private var parents: [UInt64: UInt64?] = [:]
  private var lastUses: [UInt64: Int] = [:]
  private(set) var hitTokens = 0

  init(_ order: any NaiveLeafOrder, capacity: Int) {
    self.order = order
    self.capacity = capacity
  }

  /// Serves a prompt.
  ///
  /// - Returns: Its hit tokens.
  @discardableResult
  func serve(_ prompt: NaivePrompt) -> Int {
    let hits = prompt.chain.prefix { parents[$0] != nil }.count
    let found = min(prompt.wholeTokens.prefix(hits).reduce(0, +), prompt.tokens)
    hitTokens += found
    order.request(prompt)
    for block in prompt.chain { lastUses[block] = prompt.number }
    for (place, block) in prompt.chain.prefix(capacity).enumerated().dropFirst(hits) {
      if parents.count == capacity { evict(for: prompt) }
      parents[block] = .some(place == 0 ? nil : prompt.chain[place - 1])
    }
    return found
  }

  private func evict(for prompt: NaivePrompt) {
    let inner = Set(parents.values.compactMap { $0 }).union(prompt.chain)
    let victim = parents.keys.filter { !inner.contains($0) }
      .map { (order.value(of: $0, at: prompt.number), lastUses[$0]!, $0) }
      .min { ($0.0, $0.1) < ($1.0, $1.1) }!.2
    parents[victim] = nil
  }
}

/// LRU except for the ends, which go first.
final class NaiveEndsFirst: NaiveLeafOrder {
  private var kept: Set<UInt64> = []

  func request(_ prompt: NaivePrompt) {
    kept.formUnion(prompt.chain.dropLast(prompt.end == nil ? 0 : 1))
  }

  func value(of block: UInt64, at prompt: Int) -> Double { kept.contains(block) ? 1 : 0 }
}

/// The odds of kinds of blocks, from their definition.
final class NaiveOdds: NaiveLeafOrder {
  /// Path and answer.
  private struct Kind: Hashable {
    var path: String
    var answer: Int
  }

  private let age: Double
  private let rise: Double
  private let paths: Bool
  private let ends: Bool
  private var requests: [Kind: Double] = [:]
  private var reuses: [Kind: Double] = [:]
  private var kinds: [UInt64: Kind] = [:]
  private var lastUses: [UInt64: Int] = [:]
  private var counts: [UInt64: Int] = [:]

  init(age: Double, requests: Double, paths: Bool, ends: Bool) {
    self.age = age
    rise = requests
    self.paths = paths
    self.ends = ends
  }

  func request(_ prompt: NaivePrompt) {
    let known = prompt.chain.prefix { kinds[$0] != nil }.count
    let answer = min(7, (0...).first { prompt.output >> $0 < 24 }!)
    for (place, block) in prompt.chain.enumerated() {
      let isNew = place >= known
      let earlier = kinds[block]
      if let earlier { reuses[earlier, default: 0] += 1 }
      var path = "any"
      if paths {
        if isNew {
          path = known >= 2 ? "new behind known" : "new"
        } else {
          path = earlier!.path.hasPrefix("new") ? "twice" : "more often"
        }
      }
      if ends && block == prompt.end { path = isNew ? "new end" : "end" }
      kinds[block] = Kind(path: path, answer: answer)
      requests[kinds[block]!, default: 0] += 1
      lastUses[block] = prompt.number
      counts[block, default: 0] += 1
    }
  }

  func value(of block: UInt64, at prompt: Int) -> Double {
    let kind = kinds[block]!
    let odds = (reuses[kind, default: 0] + 1) / (requests[kind]! + 4)
    return odds * pow(Double(min(16, counts[block]!)), rise)
      * pow(Double(max(1, prompt - lastUses[block]!)), -age)
  }
}

/// Follows one of four orders, each with a cache of its own.
final class NaiveDuel: NaiveLeafOrder {
  private let caches: [NaiveLeafCache]
  private let halfLife: Double
  private let margin: Double
  private var found: [[Double]] = [[], [], [], []]
  private var tokens: [Double] = []
  private(set) var chosen = 1
  private(set) var changes = 0

  init(capacity: Int, halfLife: Double, margin: Double) {
    self.halfLife = halfLife
    self.margin = margin
    let orders: [any NaiveLeafOrder] = [
      NaiveOdds(age: 0.35, requests: 0, paths: true, ends: false),
      NaiveOdds(age: 1, requests: 0, paths: true, ends: true),
      NaiveOdds(age: 1, requests: 2, paths: false, ends: true), NaiveEndsFirst(),
    ]
    caches = orders.map { NaiveLeafCache($0, capacity: capacity) }
  }

  func request(_ prompt: NaivePrompt) {
    for (order, cache) in caches.enumerated() { found[order].append(Double(cache.serve(prompt))) }
    tokens.append(Double(prompt.tokens))
    let hits = found.map { weighted($0, halfLife) }
    let recent = found.map { weighted($0, halfLife / 4) }
    let able = (0..<3).filter { recent[$0] >= recent[3] && hits[$0] > hits[3] }
    let best = able.max { (hits[$0], -$0) < (hits[$1], -$1) } ?? 3
    let lead = hits[best] - hits[chosen]
    let least = min(hits[chosen], weighted(tokens, halfLife) - hits[chosen])
    if recent[chosen] < recent[3] || lead > margin * least {
      chosen = best
      changes += 1
    }
  }

  func value(of block: UInt64, at prompt: Int) -> Double {
    caches[chosen].order.value(of: block, at: prompt)
  }

  /// The sum of values, the weights of which halve with a half-life.
  private func weighted(_ values: [Double], _ halfLife: Double) -> Double {
    let decay =
      halfLife == self.halfLife ? pow(0.5, 1 / halfLife) : pow(pow(0.5, 0.25 / halfLife), 4)
    return values.reduce(0) { $0 * decay + $1 }
  }
}
