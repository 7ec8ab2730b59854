/// A slot's place in an order by a whole number, and by another among equals: mostly that of its last use.
public struct SlotRank: Comparable, BitwiseCopyable, Sendable {
  /// The number that decides first.
  public var rank: Int
  /// The number that decides among equals. Not negative.
  public var number: Int

  /// Creates a rank; of two, the lower one comes first.
  @inlinable @inline(__always)
  public init(_ rank: Int, number: Int) {
    self.rank = rank
    self.number = number
  }

  /// Both in one number, which is compared without a branch.
  @inlinable @inline(__always)
  var key: Int128 { Int128(rank) << 64 | Int128(UInt(bitPattern: number)) }

  /// By rank, and by number among equals.
  @inlinable @inline(__always)
  public static func < (left: SlotRank, right: SlotRank) -> Bool { left.key < right.key }
}
