/// Text as a key: strings that are equal, by Unicode's canonical equivalence, are the same key.
extension String: CacheKey {
  /// Multiplications that fold 8 bytes at a time, for ASCII.
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
    func fold(_ hash: UInt64, _ word: UInt64) -> UInt64 {
      let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      return product.high ^ product.low
    }
    let raw = UnsafeRawBufferPointer(bytes)
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count) &* 0xD6E8_FEB8_6659_FD93
    var highBits: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      highBits |= word
      hash = fold(hash, word)
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset &+= 1
    }
    if (highBits | rest) & 0x8080_8080_8080_8080 != 0 { return nil }
    return SplitMix64.mix(fold(hash, rest))
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

  /// The hash of the text's canonical form, which the standard library gives to nobody but its `Hasher`.
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
