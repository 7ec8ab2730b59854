import Parameters

/// Sends each prompt to the worker that was sent the longest prefix of it, unless the workers are out of balance.
///
/// The router asks no cache. For each worker it keeps a ``SentPrefixes``, a record of the blocks that it sent there, of
/// the capacity of the cache. For `lru` the record is the cache.
///
/// - Out of balance are the workers where the one with the most prompts has over `difference` more than the one with the
///   fewest, and over `ratio` times as many. Then the prompt goes to the one with the fewest prompts.
/// - Else, if the longest prefix is over `match` of the prompt's tokens, the prompt goes to a worker that has it in its
///   record.
/// - Else it goes to any. Of several it is the one with the fewest tokens of prompts and answers so far, then the smallest
///   number.
///
/// The rule and the defaults are those of SGLang's cache-aware router (sgl-project/sglang at commit b6f20641,
/// `sgl-router/src/policies/cache_aware.rs`, and 08fc5742, `mod.rs`), with these differences. There the load is the
/// prompts in progress; here no prompt ends, and it is those so far. There a prompt without a match goes to the worker
/// with the smallest tree; here records are all full before long. There a tree holds characters and is cut to a fixed size
/// now and then. NVIDIA Dynamo's router (ai-dynamo/dynamo at commit db19bd2a, `lib/llm/src/kv_router/scheduler.rs`) adds up
/// the blocks to compute and those in use instead, which needs times.
///
/// - Complexity: O(segments of the prompt × workers).
struct LongestPrefixRouter: Router {
  static let information = CatalogEntry(
    name: "longest-prefix", summary: "a prompt goes to the worker that was sent most of its prefix",
    parameters: [
      Parameter(
        "match", .fraction(in: 0...1), default: .fraction(0.5),
        help: "ratio of a prompt's tokens above which a prefix decides"),
      Parameter(
        "difference", .integer(in: 0...1_000_000_000), default: .integer(32),
        help: "prompts that the worker with the most may have more than the one with the fewest"),
      Parameter(
        "ratio", .fraction(in: 1...1_000_000), default: .fraction(1.1),
        help: "most prompts of a worker / fewest that may be exceeded"),
    ])

  static let needsCapacity = true

  private let match: Fraction
  private let difference: Int
  private let ratio: Fraction
  private let capacity: Int
  private var loads = WorkerLoads()
  /// By worker.
  private var records: [SentPrefixes] = []

  init(_ arguments: Arguments, capacity: Int) {
    match = arguments.fraction("match")
    difference = arguments.integer("difference")
    ratio = arguments.fraction("ratio")
    self.capacity = capacity
  }

  mutating func add(beside workers: [Int]) {
    loads.add(beside: workers)
    records.append(SentPrefixes(capacity: capacity))
  }

  mutating func worker(of prompt: Int, in forest: PromptForest, among workers: [Int]) -> Int {
    let segments = forest.segments
    let chain = segments.chain(of: prompt)
    let chosen = choice(prompt, chain, of: forest, segments, among: workers)
    records[chosen].send(chain, of: segments)
    loads.count(prompt, of: forest, at: chosen)
    return chosen
  }

  private func choice(
    _ prompt: Int, _ chain: [UInt32], of forest: PromptForest, _ segments: PromptSegments,
    among workers: [Int]
  ) -> Int {
    let prompts = workers.map { loads.prompts[$0] }
    let (fewest, most) = (prompts.min() ?? 0, prompts.max() ?? 0)
    if most - fewest > difference && most > ratio.floor(of: fewest) {
      return workers[prompts.firstIndex(of: fewest) ?? 0]
    }
    let lengths = workers.map { records[$0].blocks(of: chain, of: segments) }
    let longest = lengths.max() ?? 0
    let tokens = forest.tokens(ofFirst: longest, of: prompt)
    if tokens <= match.floor(of: forest.tokens[prompt]) { return loads.least(workers) }
    return loads.least(zip(workers, lengths).lazy.filter { $1 == longest }.map(\.0))
  }
}
