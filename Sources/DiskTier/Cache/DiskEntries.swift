import EvictionCore

/// Keys or entries of a cache on disk, in no promised order, read a few at a time.
///
///     for try await key in pages.keys { print(key) }
///
/// It takes note of all rows at its begin, and reads some of them at each step; other operations go on in between. What
/// is set or leaves meanwhile may be among them or not. The policy does not learn of it, and nothing is counted.
///
/// - Complexity: O(n log n) at its begin, with the store locked while the times of all accesses are read. It takes 8
///   bytes a row while it runs, 16 at its begin; and over tiers the keys in memory.
public struct DiskEntries<Element: Sendable>: AsyncSequence, Sendable {
  /// The error of a store that cannot be read.
  public typealias Failure = DiskCacheError

  /// The places to look at.
  struct Places: Sendable {
    /// Keys that are above the rows, or may be.
    var keys: [TextKey] = []
    /// The hashes of rows.
    var hashes: ArraySlice<Int64> = []
    /// The keys whose rows are passed over.
    var passed: Set<TextKey> = []

    var isEmpty: Bool { keys.isEmpty && hashes.isEmpty }

    /// Takes out the next few.
    mutating func next(_ number: Int) -> Places {
      var next = Places(passed: passed)
      if keys.isEmpty {
        next.hashes = hashes.prefix(number)
        hashes = hashes.dropFirst(number)
      } else {
        next.keys = keys.suffix(number)
        keys = keys.dropLast(number)
      }
      return next
    }
  }

  /// Notes all places.
  let begin: @Sendable () async throws(DiskCacheError) -> Places
  /// Reads what is at some of them.
  let read: @Sendable (Places) async throws(DiskCacheError) -> [Element]

  /// The number of places that are read at a time.
  static var step: Int { 64 }

  /// Begins with the first.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// Reads a few at a time.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let sequence: DiskEntries
    private var places: Places?
    private var elements: ArraySlice<Element> = []

    fileprivate init(sequence: DiskEntries) { self.sequence = sequence }

    /// Returns the next one, or nil at the end.
    public mutating func next() async throws(DiskCacheError) -> Element? {
      try await next(isolation: nil)
    }

    /// Returns the next one, or nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DiskCacheError) -> Element? {
      var left = if let places { places } else { try await sequence.begin() }
      while elements.isEmpty && !left.isEmpty {
        elements = try await sequence.read(left.next(DiskEntries.step))[...]
      }
      places = left
      return elements.popFirst()
    }
  }
}
