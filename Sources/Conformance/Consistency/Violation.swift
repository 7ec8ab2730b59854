/// A value that a read returned and no cache may return.
package struct Violation: Sendable, Equatable, CustomStringConvertible {
  /// The fault of a value.
  package enum Kind: String, Sendable, CaseIterable {
    /// Parts of different values, or of a value that is gone.
    case torn = "a value whose checksum is wrong"
    /// A value that was written under another key.
    case anotherKey = "another key's value"
    /// A version that no writer has begun.
    case neverWritten = "a value never written"
    /// A version that a newer one had replaced, or a removal had removed, before the read began.
    case stale = "an older value after a newer write or a removal was acknowledged"
    /// A value whose time was over before the read began.
    case expired = "an expired value"
  }

  package let kind: Kind
  /// The requested key.
  package let key: UInt64
  /// The version that was read.
  package let version: UInt64
  /// Older versions were gone when the read began.
  package let oldestAllowed: UInt64

  package init(kind: Kind, key: UInt64, version: UInt64, oldestAllowed: UInt64) {
    self.kind = kind
    self.key = key
    self.version = version
    self.oldestAllowed = oldestAllowed
  }

  /// One line: what was read, and what should have been.
  package var description: String {
    "key \(key): read \(kind.rawValue): version \(version); allowed are \(oldestAllowed) and newer"
  }
}
