import EvictionCore
import Requests

/// One tier of a cache of prefixes, its policy's type erased behind one call per prompt.
@usableFromInline
protocol PrefixTier: AnyObject {
  /// The blocks that it has room for.
  var capacity: Int { get }
  /// The resident blocks.
  var used: Int { get }
  /// The blocks that have entered.
  var insertions: Int { get }
  /// The tokens of the blocks that have entered, all whole.
  var enteredTokens: Int { get }
  /// The blocks that have left, be it to another tier.
  var departures: Int { get }
  /// True if the policy has evicted a block that was pinned.
  var hasLostPinned: Bool { get }

  /// Does this tier's part of a prompt: the blocks that moved up leave, those of `falling` enter, then the prompt's own,
  /// and then its hits are touched, both from the last to the first.
  ///
  /// - Parameters:
  ///   - visit: The part.
  ///   - falling: The blocks that left the tier above, in their order; then those that leave this one. A block that is here
  ///     already is left as it is, one that is refused goes on, after those that follow it here.
  /// - Returns: The end of those among the prompt's own that are here.
  func serve(_ visit: TierVisit, falling: inout [Slot]) -> Int
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
final class PolicyTier<Policy: PinnablePolicy & ~Copyable>: PrefixTier {
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
      bit: setting.bit)
    source = BlockSource(forest: forest, seed: options.seed)
    children = setting.children
  }

  @inlinable var capacity: Int { host.capacity }
  @inlinable var used: Int { host.used }
  @inlinable var insertions: Int { counts.insertions }
  @inlinable var enteredTokens: Int { host.enteredTokens }
  @inlinable var departures: Int { host.evictions }
  @inlinable var hasLostPinned: Bool { host.hasLostPinned }

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
