/// The kind of a trace's keys.
public enum KeyKind: Sendable {
  /// Numbers, identified by their value.
  case integer
  /// Texts, identified by their bytes and never parsed as numbers.
  case text
}

/// Collects keys into blocks and numbers them: the part of ``TraceBuilder`` that knows keys.
struct KeyInterner: ~Copyable {
  private let kind: KeyKind
  private let keepsLengths: Bool
  /// True when the lengths of integer keys are told; texts have theirs.
  private var hasLengths: Bool
  private let keepsTexts: Bool
  private var staged = RawMemory()
  private var stagedLengths = RawMemory()
  private var stagedTexts = KeyTextBuffer()
  private var lengths = ColumnBuffer<UInt32>()
  private var keyTexts = KeyTextBuffer()
  private var integers: KeyTable<UInt64>
  private var texts: KeyTable<KeyHash>
  /// Keys that wait for ``resolve(into:)``.
  private(set) var pending = 0

  /// An empty one that refuses more than `most` keys, and keeps of texts what the columns say.
  ///
  /// - Parameter keepsIdentities: False if identities are not needed.
  init(_ kind: KeyKind, columns: TraceColumns, most: Int, keepsIdentities: Bool) {
    self.kind = kind
    keepsLengths = columns.contains(.keyLengths)
    hasLengths = kind == .text
    keepsTexts = columns.contains(.keyTexts) && kind == .text
    integers = KeyTable(most: most, keepsIdentities: keepsIdentities)
    texts = KeyTable(most: most, keepsIdentities: keepsIdentities)
    let enough = staged.resize(to: Self.block * MemoryLayout<KeyHash>.stride)
    precondition(enough && stagedLengths.resize(to: Self.block * 4), "out of memory")
  }

  private static var block: Int { KeyTable<UInt64>.block }
  /// Bytes of texts that wait before they are looked at; one more may be longer.
  private static let mostStagedBytes = 1 << 20

  /// True when the next key needs ``resolve(into:)`` first.
  @inline(__always)
  var isFull: Bool {
    pending == Self.block || (keepsTexts && stagedTexts.byteCount >= Self.mostStagedBytes)
  }

  /// Bytes held now for the keys.
  var allocatedBytes: Int {
    staged.byteCount + stagedLengths.byteCount + stagedTexts.allocatedBytes
      + lengths.allocatedBytes + keyTexts.allocatedBytes + integers.allocatedBytes
      + texts.allocatedBytes
  }

  /// The most bytes ever held for the keys at once.
  var peakBytes: Int { max(allocatedBytes, integers.peakBytes, texts.peakBytes) }

  /// Stages an integer key; true when the block is full. In a trace of text keys it is its
  /// decimal text.
  @inline(__always)
  mutating func add(_ key: UInt64) -> Bool {
    assert(pending < Self.block)
    if kind == .integer {
      staged.base.unsafelyUnwrapped.storeBytes(of: key, toByteOffset: pending &* 8, as: UInt64.self)
    } else {
      withUnsafeTemporaryAllocation(byteCount: 20, alignment: 8) { digits in
        let count = key.writeDecimal(endingAt: 20, of: digits)
        let text = UnsafeRawBufferPointer(rebasing: digits[(20 - count)...])
        stage(KeyHash(text), text)
      }
    }
    pending &+= 1
    return isFull
  }

  /// Stages a text key; true when the block is full.
  @inline(__always)
  mutating func add(_ text: UnsafeRawBufferPointer) -> Bool {
    precondition(kind == .text, "a reader of integer keys handed over text")
    return add(KeyHash(text), text)
  }

  /// Stages a text key whose hash is known; true when the block is full.
  @inline(__always)
  mutating func add(_ hash: KeyHash, _ text: UnsafeRawBufferPointer) -> Bool {
    assert(pending < Self.block && kind == .text)
    stage(hash, text)
    pending &+= 1
    return isFull
  }

  /// Stages as many integer keys as fit, at most `count`, and returns how many.
  mutating func add(
    _ base: UnsafeRawPointer, stride: Int, count: Int, lengths: UnsafePointer<UInt64>?
  ) -> Int {
    let taken = min(count, Self.block - pending)
    guard kind == .integer else {
      for index in 0..<taken { _ = add(UInt64(littleEndian: base.key(at: index * stride))) }
      return taken
    }
    let target = staged.base.unsafelyUnwrapped.assumingMemoryBound(to: UInt64.self) + pending
    for index in 0..<taken {
      target[index] = UInt64(littleEndian: base.key(at: index &* stride))
    }
    if keepsLengths, let lengths {
      hasLengths = true
      for index in 0..<taken { stage(length: Int(lengths[index]), at: pending + index) }
    }
    pending += taken
    return taken
  }

  @inline(__always)
  private mutating func stage(_ hash: KeyHash, _ text: UnsafeRawBufferPointer) {
    staged.base.unsafelyUnwrapped.storeBytes(
      of: hash, toByteOffset: pending &* 16, as: KeyHash.self)
    if keepsLengths { stage(length: text.count, at: pending) }
    if keepsTexts { stagedTexts.append(text) }
  }

  @inline(__always)
  private mutating func stage(length: Int, at place: Int) {
    stagedLengths.base.unsafelyUnwrapped.storeBytes(
      of: UInt32(truncatingIfNeeded: length), toByteOffset: place &* 4, as: UInt32.self)
  }

  /// Numbers the staged keys and appends their ids; false when there are too many distinct keys.
  mutating func resolve(into ids: inout ColumnBuffer<UInt32>) -> Bool {
    let count = pending
    pending = 0
    let target = ids.reserve(count)
    let base = staged.base.unsafelyUnwrapped
    let isWithinLimit =
      switch kind {
      case .integer:
        integers.resolve(base.assumingMemoryBound(to: UInt64.self), count: count, into: target)
      case .text:
        texts.resolve(base.assumingMemoryBound(to: KeyHash.self), count: count, into: target)
      }
    guard isWithinLimit else { return false }
    if keepsLengths, hasLengths {
      let staged = stagedLengths.base.unsafelyUnwrapped.assumingMemoryBound(to: UInt32.self)
      // New keys are numbered in order, so each is the next length's.
      for index in 0..<count where Int(target[index]) == lengths.count {
        lengths.append(staged[index])
      }
    }
    if keepsTexts {
      for index in 0..<count where Int(target[index]) == keyTexts.count {
        keyTexts.append(index, of: stagedTexts)
      }
      stagedTexts.removeAll()
    }
    ids.commit(count)
    return true
  }

  /// Appends the stable hashes of the keys with these ids, as of seed 0.
  func appendHashes(_ range: Range<Int>, to hashes: inout ColumnBuffer<UInt64>) {
    if let known = integers.known {
      for id in range { hashes.append(KeyHash(decimal: known[id]).low) }
    } else if let known = texts.known {
      for id in range { hashes.append(known[id].low) }
    }
  }

  /// Appends the lengths of the texts of the keys with these ids, where they are kept.
  func appendLengths(_ range: Range<Int>, to target: inout ColumnBuffer<UInt32>) {
    guard keepsLengths, hasLengths, let lengths = lengths.elements else { return }
    target.append(lengths + range.lowerBound, count: range.count)
  }

  /// The identities of the keys and, if kept, the lengths of their texts, and these, by id.
  consuming func finish() -> (KeyIdentities, Column<UInt32>?, KeyTexts?) {
    let lengths = keepsLengths && hasLengths ? lengths.freeze() : nil
    let keyTexts = keepsTexts ? keyTexts.freeze() : nil
    switch kind {
    case .integer: return (.integers(integers.takeIdentities()), lengths, keyTexts)
    case .text: return (.texts(texts.takeIdentities()), lengths, keyTexts)
    }
  }
}

extension UInt64 {
  /// The number of decimal digits.
  var decimalLength: Int {
    var rest = self
    var digits = 1
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    return digits
  }
}

extension UnsafeRawPointer {
  @inline(__always)
  fileprivate func key(at offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
