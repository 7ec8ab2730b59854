import Foundation

/// A key of a cache on disk: it is stored as bytes, and made of them again.
///
/// Strings, integers and UUIDs are such keys. A key of another type supplies its bytes:
///
///     struct ImageKey: DiskKey {
///       var name: String
///       var width: Int
///
///       var diskBytes: [UInt8] { Array("\(width)/\(name)".utf8) }
///     }
///
///     extension ImageKey {
///       init?(diskBytes: [UInt8]) {
///         let text = String(decoding: diskBytes, as: UTF8.self)
///         let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
///         guard parts.count == 2, let width = Int(parts[0]) else { return nil }
///         self.init(name: String(parts[1]), width: width)
///       }
///     }
///
/// A type that is `LosslessStringConvertible` has both members already, and its key is the text of its description.
///
/// Keys are told apart by their bytes alone: two strings that Unicode calls equal, but that are spelled
/// differently, are two keys on disk.
public protocol DiskKey: Hashable, Sendable {
  /// The bytes that are stored for the key; no other key has the same.
  var diskBytes: [UInt8] { get }

  /// The key that has these bytes; nil if none has.
  init?(diskBytes: [UInt8])
}

extension DiskKey where Self: LosslessStringConvertible {
  /// The UTF-8 bytes of the description.
  public var diskBytes: [UInt8] { Array(description.utf8) }

  /// The key that has this description.
  public init?(diskBytes: [UInt8]) {
    guard let text = String(validating: diskBytes, as: UTF8.self) else { return nil }
    self.init(text)
  }
}

extension String: DiskKey {}
extension Int: DiskKey {}
extension Int32: DiskKey {}
extension Int64: DiskKey {}
extension UInt: DiskKey {}
extension UInt32: DiskKey {}
extension UInt64: DiskKey {}

extension UUID: StablyHashable {
  /// That of its two halves.
  public func stableHash(seed: UInt64) -> UInt64 {
    let (low, high) = withUnsafeBytes(of: uuid) { bytes in
      (
        bytes.loadUnaligned(as: UInt64.self),
        bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
    }
    return (low.stableHash(seed: seed) ^ high).stableHash(seed: seed)
  }

  /// Its 16 bytes.
  public var keyLength: Int { 16 }
}

extension UUID: DiskKey {
  /// The 36 characters of its usual form.
  public var diskBytes: [UInt8] { Array(uuidString.utf8) }

  /// The UUID of that form.
  public init?(diskBytes: [UInt8]) {
    self.init(uuidString: String(decoding: diskBytes, as: UTF8.self))
  }
}
