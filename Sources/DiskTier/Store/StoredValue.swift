/// The metadata that a ``HybridStore`` keeps of an entry besides its bytes.
public struct StoredMetadata: Equatable, Sendable {
  /// The value's bytes.
  public var size: Int
  /// The bytes of the extended data, and of the tags if there are any.
  public var extendedSize: Int
  /// The place of the latest access among all accesses: higher is later, and no two are equal in one
  /// process.
  public var access: Int64
  /// The place, in the same order, at which the key came to the store; an overwrite keeps it.
  public var insertion: Int64
  /// The time at which the value was put, in nanoseconds since 1970.
  public var created: Int64
  /// The time at which the value expires, in nanoseconds since 1970; nil if it never does. The store only keeps
  /// it.
  public var expires: Int64?
  /// The cost that the caller gave.
  public var cost: Int
}

/// An entry as ``HybridStore/get(_:touching:)`` returns it.
public struct StoredValue: Equatable, Sendable {
  /// The value.
  public var bytes: [UInt8]
  /// The extended data that was put beside it; nil if there was none.
  public var extended: [UInt8]?
  /// Everything else.
  public var metadata: StoredMetadata
  /// The tags of a cache's entry.
  var tags: Set<String> = []

  init(bytes: [UInt8], extended: [UInt8]?, metadata: StoredMetadata, tags: Set<String> = []) {
    self.bytes = bytes
    self.extended = extended
    self.metadata = metadata
    self.tags = tags
  }
}

/// An entry without its bytes, as ``HybridStore/forEachBatch(of:_:)`` hands them out.
public struct StoredRow: Equatable, Sendable {
  /// The key.
  public var key: String
  /// Everything else but the bytes.
  public var metadata: StoredMetadata
}

/// The outcome of a put.
public struct PutOutcome: Equatable, Sendable {
  /// The entry as it is now.
  public var metadata: StoredMetadata
  /// The size of the value that was replaced; nil if the key was new.
  public var replacedSize: Int?
  /// The key of another entry that had to leave, since its 64-bit hash is the same.
  ///
  /// Among a million keys that happens with a probability of 3 · 10⁻⁸.
  public var displacedKey: String?
  /// Those of the keys to be removed that were there; none unless the caller wants them.
  var removedKeys: [String] = []
  /// True if nothing was done, as the row of the key was not the expected one.
  var isRefused = false
}

/// The row that a key must have for another one to take its place.
struct ExpectedRow {
  /// The time at which it was put; nil if there is none.
  var created: Int64?
}

/// The outcome of a removal.
public struct RemovalOutcome: Equatable, Sendable {
  /// The number of removed entries.
  public var count: Int
  /// The bytes of their values.
  public var bytes: Int
  /// Their keys; none unless the caller wants them.
  var keys: [String] = []
}
