/// Text as a key: strings that are equal, by Unicode's canonical equivalence, are the same key.
extension String: StablyHashable {
  /// A polynomial of the bytes, at points drawn from the seed, for ASCII.
  ///
  /// Other text has the standard library's hash, which knows equivalent spellings, from a fixed start: the
  /// same in every process, as long as the standard library's hash function is.
  ///
  /// - Complexity: O(bytes).
  @inlinable
  public func stableHash(seed: UInt64) -> UInt64 {
    let hash = utf8.withContiguousStorageIfAvailable { String.asciiHash($0, seed: seed) }
    return (hash ?? nil) ?? generalHash(seed: seed)
  }

  /// The length in UTF-8 bytes.
  @inlinable
  public var keyLength: Int { utf8.count }

  /// The hash of ASCII bytes; nil if there are others.
  @inlinable
  static func asciiHash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt64? {
    let (hash, highBits) = UniversalHash.hash(UnsafeRawBufferPointer(bytes), seed: seed)
    return highBits & 0x8080_8080_8080_8080 == 0 ? hash : nil
  }

  /// The hash of any text.
  @usableFromInline
  func generalHash(seed: UInt64) -> UInt64 {
    // Three characters outside ASCII are canonically equivalent to one inside.
    var ascii: [UInt8] = []
    for scalar in unicodeScalars {
      switch scalar {
      case "\u{212A}": ascii.append(UInt8(ascii: "K"))
      case "\u{37E}": ascii.append(UInt8(ascii: ";"))
      case "\u{1FEF}": ascii.append(UInt8(ascii: "`"))
      default:
        guard scalar.isASCII else {
          return canonicalHash(seed: seed)
        }
        ascii.append(UInt8(truncatingIfNeeded: scalar.value))
      }
    }
    return ascii.withUnsafeBufferPointer { String.asciiHash($0, seed: seed) } ?? 0
  }

  /// The hash of the text's canonical form, which the standard library gives only to its `Hasher`.
  private func canonicalHash(seed: UInt64) -> UInt64 {
    var hasher = Hasher()
    // A frozen struct of plain words, most of which come from a seed of the process: zeros are a fixed one.
    withUnsafeMutableBytes(of: &hasher) {
      _ = $0.initializeMemory(as: UInt8.self, repeating: 0)
    }
    hasher.combine(seed)
    hasher.combine(self)
    return SplitMix64.mix(UInt64(bitPattern: Int64(hasher.finalize())))
  }
}
