import EvictionCore
import Requests

/// One tier of a cache of prefixes: its policy's type is erased behind closures that were compiled for it, of which one is
/// called per prompt.
@usableFromInline
struct PrefixTier {
  /// The state of a tier by now.
  @usableFromInline
  struct State {
    /// The resident blocks.
    @usableFromInline let used: Int
    /// The blocks that have entered.
    @usableFromInline let insertions: Int
    /// The tokens of the blocks that have entered, all whole.
    @usableFromInline let enteredTokens: Int
    /// The blocks that have left, be it to another tier.
    @usableFromInline let departures: Int
    /// True if the policy has evicted a block that was pinned.
    @usableFromInline let hasLostPinned: Bool

    @inlinable
    init(
      used: Int, insertions: Int, enteredTokens: Int, departures: Int, hasLostPinned: Bool
    ) {
      self.used = used
      self.insertions = insertions
      self.enteredTokens = enteredTokens
      self.departures = departures
      self.hasLostPinned = hasLostPinned
    }
  }

  /// The blocks that it has room for.
  @usableFromInline let capacity: Int
  /// Shows the state.
  @usableFromInline let state: () -> State
  /// Does this tier's part of a prompt: the blocks that moved up leave, those of `falling` enter, then the prompt's own,
  /// and then its hits are touched, both from the last to the first.
  ///
  /// The list has the blocks that left the tier above, in their order; then those that leave this one. A block that is here
  /// already is left as it is, one that is refused goes on, after those that follow it here. Returns the end of those among
  /// the prompt's own that are here.
  @usableFromInline let serve: (_ visit: TierVisit, _ falling: inout [Slot]) -> Int

  @inlinable
  init<Policy: PinnablePolicy & ~Copyable>(_ tier: PolicyTier<Policy>) {
    capacity = tier.host.capacity
    state = {
      State(
        used: tier.host.used, insertions: tier.counts.insertions,
        enteredTokens: tier.host.enteredTokens, departures: tier.host.evictions,
        hasLostPinned: tier.host.hasLostPinned)
    }
    serve = { visit, falling in tier.serve(visit, falling: &falling) }
  }
}

/// One tier's part of a prompt.
@usableFromInline
struct TierVisit {
  /// The number of the prompt.
  @usableFromInline let prompt: Int
  /// The prompt's blocks.
  @usableFromInline let chain: UnsafePointer<UInt32>
  /// The places of blocks that are here and have moved up.
  @usableFromInline let leaving: Range<Int>
  /// The places of blocks that are here and stay, hit by the prompt.
  @usableFromInline let hits: Range<Int>
  /// The places of blocks that are to enter, with room for all of them beside the pinned ones.
  @usableFromInline let entering: Range<Int>
  /// The resident blocks that are pinned while the prompt is served: the last of ``hits`` with all before it in one line.
  @usableFromInline let pinned: Int
}

/// The setting of one tier.
@usableFromInline
struct TierSetting {
  @usableFromInline let forest: PromptForest
  /// The parents of the forest.
  @usableFromInline let parents: UnsafeBufferPointer<UInt32>
  @usableFromInline let children: BlockChildren
  @usableFromInline let places: UnsafeMutablePointer<UInt8>
  @usableFromInline let bit: UInt8
  @usableFromInline let options: RunOptions
}

/// A tier of one policy.
@usableFromInline
final class PolicyTier<Policy: PinnablePolicy & ~Copyable> {
  @usableFromInline var policy: Policy
  @usableFromInline var host: TierHost
  @usableFromInline let source: BlockSource
  @usableFromInline let children: BlockChildren
  @usableFromInline var counts = PrefixCounts()

  @inlinable
  init(_ setting: TierSetting) throws(PolicyError) {
    let (options, forest) = (setting.options, setting.forest)
    let capacity =
      Policy.information.ignoresCapacity ? max(1, forest.distinct) : options.capacity
    policy = try Policy(
      PolicyConfiguration(
        capacity: capacity, isSized: false, seed: options.seed, slots: forest.distinct,
        arguments: options.arguments))
    host = TierHost(
      forest, capacity: capacity, parents: setting.parents, places: setting.places,
      bit: setting.bit, listsUnpinned: Policy.drawsVictims)
    source = BlockSource(forest: forest, seed: options.seed)
    children = setting.children
  }

  /// See ``PrefixTier/serve``.
  @inlinable
  func serve(_ visit: TierVisit, falling: inout [Slot]) -> Int {
    let chain = visit.chain
    for place in visit.leaving { leave(chain[place]) }
    if let last = visit.hits.last { host.pin(chain[last], by: 1) }
    for slot in falling where !host.contains(slot) { take(slot, visit) }
    var end = visit.entering.lowerBound
    if !visit.entering.isEmpty {
      end += PrefixLoop.serve(
        chain + end, hits: 0, end: visit.entering.count, visit.prompt, source, &policy, &host,
        &counts)
    }
    let hits = visit.hits
    if let last = hits.last {
      PrefixLoop.serve(
        chain + hits.lowerBound, hits: hits.count, end: hits.count, visit.prompt, source, &policy,
        &host, &counts)
      host.pin(chain[last], by: -1)
    }
    falling.removeAll(keepingCapacity: true)
    swap(&falling, &host.evicted)
    return end
  }

  /// Removes a block that has moved.
  @inlinable
  func leave(_ slot: Slot) {
    host.left(slot)
    policy.remove(slot, host: &host)
  }

  /// Lets a block enter that left the tier above.
  @inlinable
  func take(_ slot: Slot, _ visit: TierVisit) {
    if host.used < host.capacity || host.used > visit.pinned {
      host.pin(slot, by: 1)
      let hasEntered = policy.insert(
        source.request(for: slot, visit.prompt, needs: Policy.needs), host: &host)
      if hasEntered {
        host.entered(slot)
        counts.insertions &+= 1
      }
      host.pin(slot, by: -1)
      if hasEntered { return }
    }
    if host.isPinned(slot) { passOn(from: slot) }
    host.evicted.append(slot)
  }

  /// Lets all that follows a refused block leave, the ends of chains first.
  @inlinable
  func passOn(from refused: Slot) {
    children.forEach(of: refused) { child in
      if !host.contains(child) { return }
      passOn(from: child)
      leave(child)
      host.evicted.append(child)
    }
  }
}

/// The blocks that follow each block directly. Computed when they are first read, as few policies refuse a block.
@usableFromInline
final class BlockChildren {
  private let parents: UnsafeBufferPointer<UInt32>
  /// By block: its first child, and the next child of the same block; or the root.
  private lazy var links: (first: [UInt32], next: [UInt32]) = {
    var first = [UInt32](repeating: PromptForest.root, count: parents.count)
    var next = first
    for (slot, parent) in parents.enumerated() where parent != PromptForest.root {
      next[slot] = first[Int(parent)]
      first[Int(parent)] = UInt32(slot)
    }
    return (first, next)
  }()

  init(_ parents: UnsafeBufferPointer<UInt32>) { self.parents = parents }

  @usableFromInline
  func forEach(of slot: Slot, _ body: (Slot) -> Void) {
    var child = links.first[Int(slot)]
    while child != PromptForest.root {
      body(child)
      child = links.next[Int(child)]
    }
  }
}
