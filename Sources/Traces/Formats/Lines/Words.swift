/// A few words and what each stands for, found in any case of their letters and without
/// allocating anything.
struct Words<Value: Sendable & BitwiseCopyable>: Sendable {
  private struct Entry: Sendable, BitwiseCopyable {
    var low: UInt64
    var high: UInt64
    var count: Int
    var value: Value
  }

  private static var longest: Int { 16 }

  private var table: [Entry?]

  /// Words, each of at most 16 bytes, in groups of one value each, written with spaces between them.
  init(_ groups: [(Value, String)]) {
    let values = groups.flatMap { value, words in
      words.split(separator: " ").map { (String($0), value) }
    }
    var size = 8
    while size < values.count * 3 { size *= 2 }
    table = Array(repeating: nil, count: size)
    for (word, value) in values {
      var word = word
      word.withUTF8 { bytes in
        precondition(bytes.count <= Self.longest, "the word is too long")
        let (low, high) = Self.pack(UnsafeRawBufferPointer(bytes))
        var place = Self.place(low, high) & (size - 1)
        while table[place] != nil { place = (place + 1) & (size - 1) }
        table[place] = Entry(low: low, high: high, count: bytes.count, value: value)
      }
    }
  }

  /// The value of a word; nil when it isn't among the words.
  @inline(__always)
  subscript(word: UnsafeRawBufferPointer) -> Value? {
    if word.count > Self.longest { return nil }
    let (low, high) = Self.pack(word)
    var place = Self.place(low, high) & (table.count &- 1)
    while let entry = table[place] {
      if entry.low == low, entry.high == high, entry.count == word.count { return entry.value }
      place = (place &+ 1) & (table.count &- 1)
    }
    return nil
  }

  /// The bytes with the bit set that tells small letters from capitals.
  @inline(__always)
  private static func pack(_ word: UnsafeRawBufferPointer) -> (low: UInt64, high: UInt64) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for byte in word {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte | 0x20)
    }
    return (low, high)
  }

  @inline(__always)
  private static func place(_ low: UInt64, _ high: UInt64) -> Int {
    Int(truncatingIfNeeded: ((low ^ high &* 31) &* 0x9E37_79B9_7F4A_7C15) >> 48)
  }
}
