import EvictionCore
import Requests

/// Runs one policy as a cache of prefixes.
///
/// A prompt is served at once: its hits are the longest resident prefix as it arrives. Then its blocks reach the
/// policy from the last to the first, the missing ones as insertions, the others as hits: so a block is always
/// more recent than those behind it, and a policy that goes by recency finds the end of a chain first. The prompt's
/// own chain is pinned meanwhile; of one longer than the cache the head is kept. A block that the policy refuses
/// takes those behind it along.
///
/// Without chains, the blocks reach the policy from the first to the last, each on its own.
///
/// - Complexity: O(blocks) times the policy's own cost.
@usableFromInline
struct PrefixLoop<Policy: ReplacementPolicy & ~Copyable>: ~Copyable {
  /// Runs every prompt without chains.
  ///
  /// - Returns: The counts, or nil if `observer`, called every few thousand prompts with the number of blocks done,
  ///   stopped the run.
  /// - Throws: ``PolicyError`` if the policy cannot run with these options.
  @inlinable
  static func runFreely(
    _ forest: PromptForest, options: PrefixOptions, observer: (Int) -> Bool
  ) throws(PolicyError) -> PrefixCounts? {
    var host = FreeHost(capacity: capacity(options))
    return try run(forest, options: options, host: &host, observer: observer)
  }

  /// The blocks that there is room for.
  @inlinable
  static func capacity(_ options: PrefixOptions) -> Int {
    Policy.information.ignoresCapacity ? .max : options.run.capacity
  }

  @inlinable
  static func run<Host: BlockHost & ~Copyable>(
    _ forest: PromptForest, options: PrefixOptions, host: inout Host, observer: (Int) -> Bool
  ) throws(PolicyError) -> PrefixCounts? {
    var policy = try Policy(
      PolicyConfiguration(
        capacity: host.capacity, isSized: false, seed: options.run.seed, slots: forest.distinct,
        arguments: options.run.arguments))
    let counts = run(forest, options: options, policy: &policy, host: &host, observer: observer)
    if host.hasLostPinned {
      throw .conflict(
        policy: Policy.information.name,
        explanation: "evicts blocks that others follow: its evict must pass over pinned slots, as "
          + "every PinnablePolicy does; --free runs it without chains")
    }
    return counts
  }

  @inlinable
  static func run<Host: BlockHost & ~Copyable>(
    _ forest: PromptForest, options: PrefixOptions, policy: inout Policy, host: inout Host,
    observer: (Int) -> Bool
  ) -> PrefixCounts? {
    let source = BlockSource(forest: forest, seed: options.run.seed)
    let nodes = PromptChain(of: forest)
    let chain = UnsafePointer(nodes.nodes)
    var sessions = BlockSessions(forest)
    var counts = PrefixCounts()
    for prompt in 0..<forest.prompts {
      let blocks = nodes.read(prompt).count
      if prompt == options.warmup { counts.hadFilled = host.used >= host.capacity }
      var hits = 0
      while hits < blocks && policy.contains(chain[hits]) { hits &+= 1 }
      let sessionHits = sessions.record(prompt, hits: hits)
      if prompt >= options.warmup {
        counts.count(prompt, of: forest, hits: hits, sessionHits: sessionHits)
      }
      if Host.pinsSlots {
        assert(
          (hits..<blocks).allSatisfy { !policy.contains(chain[$0]) },
          "a resident block follows one that is not")
        serve(
          chain, hits: hits, end: min(blocks, host.capacity), prompt, source, &policy, &host,
          &counts)
        if host.hasLostPinned { return nil }
      } else {
        serveFreely(
          chain, hits: hits, blocks: blocks, prompt, source, &policy, &host, &counts,
          isCounted: prompt >= options.warmup)
      }
      if prompt & 4095 == 4095 && !observer(forest.starts[prompt &+ 1]) { return nil }
    }
    counts.evictions = host.evictions
    return counts
  }

  /// Serves a prompt of which the first `hits` blocks are resident, and no others.
  ///
  /// - Returns: The number of its first blocks that are resident now.
  @inlinable @discardableResult
  static func serve<Host: BlockHost & ~Copyable>(
    _ chain: UnsafePointer<UInt32>, hits: Int, end: Int, _ prompt: Int,
    _ source: borrowing BlockSource, _ policy: inout Policy, _ host: inout Host,
    _ counts: inout PrefixCounts
  ) -> Int {
    if hits > 0 { host.pin(chain[hits &- 1], by: 1) }
    // The end of what has entered by now.
    var tail = end
    var place = end
    while place > hits {
      place &-= 1
      let slot = chain[place]
      let isLast = place &+ 1 == tail
      if isLast { host.pin(slot, by: 1) }
      if policy.insert(source.request(for: slot, prompt, needs: Policy.needs), host: &host) {
        if host.hasLostPinned { return hits }
        host.entered(slot)
        counts.insertions &+= 1
        continue
      }
      for lost in place &+ 1..<max(tail, place &+ 1) {
        host.left(chain[lost])
        policy.remove(chain[lost], host: &host)
      }
      host.pin(isLast ? slot : chain[tail &- 1], by: -1)
      tail = place
    }
    if tail > hits { host.pin(chain[tail &- 1], by: -1) }
    while place > 0 {
      place &-= 1
      policy.hit(source.request(for: chain[place], prompt, needs: Policy.needs), host: &host)
    }
    if hits > 0 { host.pin(chain[hits &- 1], by: -1) }
    return tail
  }

  /// Serves a prompt block by block.
  @inlinable
  static func serveFreely<Host: BlockHost & ~Copyable>(
    _ chain: UnsafePointer<UInt32>, hits: Int, blocks: Int, _ prompt: Int,
    _ source: borrowing BlockSource, _ policy: inout Policy, _ host: inout Host,
    _ counts: inout PrefixCounts, isCounted: Bool
  ) {
    if isCounted {
      for place in hits..<max(blocks, hits) where policy.contains(chain[place]) {
        counts.orphans &+= 1
      }
    }
    // Nothing leaves before the first of these is missing.
    for place in 0..<hits {
      policy.hit(source.request(for: chain[place], prompt, needs: Policy.needs), host: &host)
    }
    for place in hits..<max(blocks, hits) {
      let slot = chain[place]
      let request = source.request(for: slot, prompt, needs: Policy.needs)
      if policy.contains(slot) {
        policy.hit(request, host: &host)
      } else if policy.insert(request, host: &host) {
        host.entered(slot)
        counts.insertions &+= 1
      }
    }
  }
}

extension PrefixLoop where Policy: PinnablePolicy & ~Copyable {
  /// Runs every prompt.
  ///
  /// - Returns: The counts, or nil if `observer`, called every few thousand prompts with the number of blocks done,
  ///   stopped the run.
  /// - Throws: ``PolicyError`` if the policy cannot run with these options.
  @inlinable
  static func run(
    _ forest: PromptForest, options: PrefixOptions, observer: (Int) -> Bool
  ) throws(PolicyError) -> PrefixCounts? {
    try forest.parents.withUnsafeBufferPointer { (parents) throws(PolicyError) in
      var host = PrefixHost(
        capacity: capacity(options), parents: parents, listsUnpinned: Policy.drawsVictims)
      return try run(forest, options: options, host: &host, observer: observer)
    }
  }
}

/// Makes the requests for blocks.
@usableFromInline
struct BlockSource: ~Copyable {
  @usableFromInline let forest: PromptForest
  @usableFromInline let seed: UInt64

  @inlinable
  init(forest: PromptForest, seed: UInt64) {
    self.forest = forest
    self.seed = seed
  }

  /// The request of `prompt` for a block, with the fields that a policy needs.
  @inlinable @inline(__always)
  func request(for slot: Slot, _ prompt: Int, needs: RequestNeeds) -> Request {
    var request = Request(slot: slot)
    if needs.contains(.keyHash) {
      var generator = SplitMix64(seed: seed ^ UInt64(slot) &* 0x9E37_79B9_7F4A_7C15)
      request.keyHash = generator.next()
    }
    if needs.contains(.time), let times = forest.times { request.time = times[prompt] }
    return request
  }
}
