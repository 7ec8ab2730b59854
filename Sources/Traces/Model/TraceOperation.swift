/// The operation of a request on its object.
public enum TraceOperation: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  /// Looks the object up.
  case get
  /// Writes the object.
  case set
  /// Writes the object if it is absent.
  case add
  /// Removes the object.
  case delete
  /// Writes the object if it is present.
  case replace
  /// Writes the object if it has not changed.
  case compareAndSet
  /// Adds bytes after the object's.
  case append
  /// Adds bytes before the object's.
  case prepend
  /// Adds to a number.
  case increment
  /// Subtracts from a number.
  case decrement
  /// Reads a block of a disk.
  case read
  /// Writes a block of a disk.
  case write
  /// Gives the object another time to live if it is present.
  case touch

  /// True if the operation gives its object a size: every write does.
  @inlinable package var isWrite: Bool { self == .write || role == .update }

  /// The meaning of an operation for a cache.
  public enum Role: Sendable {
    /// A request that is counted as a hit or a miss.
    case reference
    /// A write of the object: no request, but it refreshes or inserts the object.
    case update
    /// A removal.
    case removal
    /// Another time to live for the object if it is present: no request and no use.
    case renewal
  }

  /// The meaning of the operation for a cache.
  ///
  /// A block's write is a reference as its read is: that is how every published hit ratio of a
  /// block trace is counted.
  @inlinable
  public var role: Role {
    switch self {
    case .get, .read, .write: .reference
    case .delete: .removal
    case .touch: .renewal
    case .set, .add, .replace, .compareAndSet, .append, .prepend, .increment, .decrement: .update
    }
  }
}
