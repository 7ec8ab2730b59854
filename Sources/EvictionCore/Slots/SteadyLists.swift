/// A state of a full cache of objects that count one in which each request only moves slots: a hit in ``hits`` moves to the
/// front of that list, and a newcomer replaces the back of ``misses`` at its front. Hits elsewhere are run as usual, and
/// keep the state.
public struct SteadyLists {
  /// The list whose hits move to its front.
  public let hits: ListID
  /// The list that newcomers enter and leave.
  public let misses: ListID

  /// Names the two lists.
  @inlinable @inline(__always)
  public init(hits: ListID, misses: ListID) {
    self.hits = hits
    self.misses = misses
  }
}
