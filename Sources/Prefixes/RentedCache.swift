import Parameters
import Requests

/// The prompt cache of a service, which is paid for by tokens: it has no limit of memory, and each block lives for a
/// time.
///
/// A prompt reads its longest prefix of living blocks and writes the blocks behind it. A block that a prompt reads or
/// writes lives anew, or only one that it writes. A block behind one that has died is of no use: it is written again. So
/// tokens read, tokens written and tokens beyond whole blocks are together those of the prompts. A prefix of too few
/// tokens is neither read nor written. A block still lives when its time to live has just passed. Where times go back,
/// the clock stands.
///
/// - Complexity: O(blocks). Memory: 16 bytes for each distinct block.
package enum RentedCache {
  /// The terms of a service.
  package struct Terms: Sendable {
    /// In nanoseconds.
    package var timeToLive: Int64
    /// True if a read begins the time to live anew.
    package var isRenewed: Bool
    /// The fewest tokens of a prefix that is read or written.
    package var minimumTokens: Int

    /// Terms by which every prefix is kept, and reads renew it.
    package init(timeToLive: Int64, isRenewed: Bool = true, minimumTokens: Int = 0) {
      self.timeToLive = timeToLive
      self.isRenewed = isRenewed
      self.minimumTokens = minimumTokens
    }
  }

  /// Runs every prompt of a forest that has times.
  ///
  /// - Returns: The counts, or nil if `observer`, called every few thousand prompts with the number of blocks done,
  ///   stopped the run.
  package static func run(
    _ forest: PromptForest, _ terms: Terms, warmup: Int = 0, observer: (Int) -> Bool = { _ in true }
  ) -> PrefixCounts? {
    guard let times = forest.times else { preconditionFailure("the prompts have times") }
    var counts = PrefixCounts()
    let nodes = PromptChain(of: forest)
    var sessions = BlockSessions(forest)
    var lives = BlockLives(terms.timeToLive, blocks: forest.distinct)
    for prompt in 0..<forest.prompts {
      lives.now = max(lives.now, times[prompt])
      if prompt == warmup { lives.countedFrom = lives.now }
      let chain = nodes.read(prompt)
      let whole = forest.tokens(ofFirst: chain.count, of: prompt)
      let isKept = whole >= terms.minimumTokens
      var hits = 0
      if isKept {
        while hits < chain.count && lives.contains(chain[hits]) { hits += 1 }
        if forest.tokens(ofFirst: hits, of: prompt) < terms.minimumTokens { hits = 0 }
        for place in chain.indices {
          let isWritten = place >= hits
          if !isWritten && !terms.isRenewed { continue }
          let isKnown = lives.begin(chain[place], tokens: forest.tokens(atPlace: place, of: prompt))
          if isWritten { counts.insertions += 1 }
          if isWritten && isKnown { counts.evictions += 1 }
        }
      }
      let sessionHits = sessions.record(prompt, hits: hits)
      if prompt >= warmup {
        counts.count(prompt, of: forest, hits: hits, sessionHits: sessionHits)
        if isKept { counts.writtenTokens += whole - forest.tokens(ofFirst: hits, of: prompt) }
      }
      if prompt & 4095 == 4095 && !observer(forest.starts[prompt + 1]) { return nil }
    }
    counts.tokenHours = lives.finish() / 3.6e12
    return counts
  }
}

/// The blocks of a cache, and the time that they live.
private struct BlockLives {
  let timeToLive: Int64
  var now = Int64.min
  /// The time from which on kept tokens are counted.
  var countedFrom = Int64.max
  /// By node: the time at which its life began; `Int64.min` before its first.
  private var begins: [Int64]
  /// By node: the tokens that it holds.
  private var tokens: [Int]
  /// Tokens × nanoseconds.
  private var kept = 0.0

  init(_ timeToLive: Int64, blocks: Int) {
    self.timeToLive = timeToLive
    begins = [Int64](repeating: .min, count: blocks)
    tokens = [Int](repeating: 0, count: blocks)
  }

  func contains(_ node: UInt32) -> Bool {
    let begin = begins[Int(node)]
    return begin != .min && now.subtractingSaturating(begin) <= timeToLive
  }

  /// Begins a life. Returns true if the block had one before.
  mutating func begin(_ node: UInt32, tokens count: Int) -> Bool {
    let isKnown = begins[Int(node)] != .min
    if isKnown { end(Int(node)) }
    begins[Int(node)] = now
    tokens[Int(node)] = count
    return isKnown
  }

  /// Counts what a block was kept until now, or until it died.
  private mutating func end(_ node: Int) {
    let begin = begins[node]
    let (death, isOver) = begin.addingReportingOverflow(timeToLive)
    let (from, to) = (max(begin, countedFrom), min(now, isOver ? .max : death))
    if to > from { kept += Double(tokens[node]) * Double(to - from) }
  }

  /// The tokens × nanoseconds of all blocks until now.
  mutating func finish() -> Double {
    for node in begins.indices where begins[node] != .min { end(node) }
    return kept
  }
}

extension LeafOrderChoice {
  /// The name of a rented cache in results.
  package static let rentedName = "rented"

  /// A rented cache in the place of an order: it runs whatever the capacity is.
  package init(renting terms: RentedCache.Terms) {
    let seconds = Parameter(
      "seconds", .integer(in: 1...1_000_000_000), default: nil, help: "the time to live")
    let isRenewed = Parameter(
      "renewed", .flag, default: .flag(true), help: "whether a read begins the time anew")
    let information = CatalogEntry(
      name: Self.rentedName, summary: "a service's cache, by its time to live",
      parameters: [seconds, isRenewed])
    do throws(SpecificationError) {
      let specification = try Specification(
        parsing: "\(Self.rentedName):seconds=\(terms.timeToLive / 1_000_000_000)"
          + (terms.isRenewed ? "" : ":renewed=false"))
      self.init(
        entry: LeafOrderEntry(information, origin: "the prompt caches that services rent out") {
          forest, options, observer in
          RentedCache.run(forest, terms, warmup: options.warmup, observer: observer)
        },
        arguments: try specification.arguments(for: information.parameters), isNamed: true)
    } catch { preconditionFailure("\(error)") }
  }
}

extension PromptForest {
  /// The hours from a prompt to the last, by a clock that never goes back; 0 without times.
  package func hours(from first: Int) -> Double {
    guard let times, let begin = times.prefix(first + 1).max(), let end = times.max() else {
      return 0
    }
    return (Double(end) - Double(begin)) / 3.6e12
  }

  /// The number of pauses between a session's prompts from number `first` on, and of those that are no longer than a
  /// time in nanoseconds; nil where prompts have no sessions or times.
  package func pauses(upTo longest: Int64, from first: Int) -> (all: Int, within: Int)? {
    guard let times, let sessions else { return nil }
    var last: [UInt32: Int64] = [:]
    var (all, within) = (0, 0)
    var now = Int64.min
    for prompt in 0..<prompts {
      now = max(now, times[prompt])
      if let before = last[sessions[prompt]], prompt >= first {
        all += 1
        if now.subtractingSaturating(before) <= longest { within += 1 }
      }
      last[sessions[prompt]] = now
    }
    return (all, within)
  }
}
