import EvictionCore

/// A key or a value of bytes, of which up to eight take no memory of their own.
struct ShortBytes: StablyHashable {
  /// The number of bytes.
  let count: Int
  /// The bytes, as they lie in memory, where there are at most eight; the others are 0.
  private let word: UInt64
  /// The bytes where there are more.
  private let others: [UInt8]

  private static let mostInWord = MemoryLayout<UInt64>.size

  init(_ bytes: UnsafeRawBufferPointer) {
    count = bytes.count
    var word: UInt64 = 0
    if count <= ShortBytes.mostInWord {
      withUnsafeMutableBytes(of: &word) { $0.copyBytes(from: bytes) }
      others = []
    } else {
      others = Array(bytes)
    }
    self.word = word
  }

  /// The eight bytes of a number.
  init(number: UInt64) {
    count = ShortBytes.mostInWord
    word = number
    others = []
  }

  /// The number whose bytes these are; nil unless there are eight.
  var number: UInt64? { count == ShortBytes.mostInWord ? word : nil }

  /// Returns a copy for a caller.
  func copied() throws(CallFailure) -> UnsafeMutableRawPointer {
    if count > ShortBytes.mostInWord { return UnsafeMutableRawPointer(try Copies.of(others)) }
    return UnsafeMutableRawPointer(try Copies.of([word]))
  }

  /// Words are hashed with a seed for each length, so that lengths tell them apart.
  func stableHash(seed: UInt64) -> UInt64 {
    count <= ShortBytes.mostInWord
      ? UniversalHash.hash(word, seed: seed &+ UInt64(count))
      : others.withUnsafeBytes { UniversalHash.hash($0, seed: seed).hash }
  }

  var keyLength: Int { count }
}
