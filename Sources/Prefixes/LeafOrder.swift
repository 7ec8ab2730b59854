import EvictionCore
import Parameters
import Requests

/// An order of the ends of chains, for caches of prefixes only: it sees prompts and their answers, where a policy
/// of the catalog sees slots.
///
/// What is known of an answer is used from the next prompt on, as nothing leaves for a prompt but other prompts'
/// blocks.
@usableFromInline
package protocol LeafOrder: SendableMetatype {
  /// Name, summary and parameters.
  static var information: CatalogEntry { get }

  /// The paper or program that it follows; or that it follows none, and one that is near to it.
  static var origin: String { get }

  /// The order of an empty cache of `capacity` blocks.
  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments)

  /// Takes note of a prompt, before anything leaves for it.
  mutating func request(_ visit: PromptVisit, of forest: PromptForest)

  /// The value of keeping a block that no resident block follows, when `prompt` arrives: the block of the lowest
  /// value leaves, of equals the one that was requested longest ago.
  func value(of node: UInt32, at prompt: Int) -> Double

  /// The number of kinds of blocks, where the value of blocks of one kind never rises with age; else 0.
  ///
  /// Only the oldest end of a chain of each kind is then looked at.
  var kinds: Int { get }

  /// The kind of a block, which changes only when it is requested or when ``revision`` does.
  func kind(of node: UInt32) -> Int

  /// The number of times that the kinds of all blocks have changed at once.
  var revision: Int { get }
}

extension LeafOrder {
  /// No kinds: every end of a chain is looked at.
  @usableFromInline package var kinds: Int { 0 }

  /// One kind for all.
  @usableFromInline package func kind(of node: UInt32) -> Int { 0 }

  /// Never another.
  @usableFromInline package var revision: Int { 0 }
}

/// A prompt as a ``LeafOrder`` sees it.
@usableFromInline
package struct PromptVisit {
  /// The number of the prompt.
  @usableFromInline package let prompt: Int
  /// The nodes of its blocks.
  @usableFromInline package let chain: [UInt32]
  /// The number of its first blocks that some earlier prompt had, resident or not.
  @usableFromInline package let known: Int

  /// Returns true if the last block is not full. Only the same prompt can hit it again.
  func endsEarly(in forest: PromptForest) -> Bool {
    forest.tokens[prompt] < forest.wholeTokens(ofFirst: chain.count, of: prompt)
  }
}
