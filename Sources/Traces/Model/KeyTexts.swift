/// The texts of a trace's distinct keys, by id, as they stood in its source.
public struct KeyTexts: Sendable {
  /// All texts, one after the other.
  private let bytes: Column<UInt8>
  /// The end of each text.
  private let ends: Column<UInt64>

  fileprivate init(bytes: Column<UInt8>, ends: Column<UInt64>) {
    self.bytes = bytes
    self.ends = ends
  }

  /// The number of texts: one for each distinct key.
  public var count: Int { ends.count }

  /// A key's text; bytes that are no UTF-8 are replaced. Traps when there is no such id. O(length).
  public subscript(id: UInt32) -> String {
    withBytes(of: Int(id)) { String(decoding: $0, as: UTF8.self) }
  }

  /// Runs `body` on the bytes of a key's text, valid until it returns. O(1).
  @inline(__always)
  func withBytes<Result>(of id: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = id == 0 ? 0 : Int(ends[id - 1])
    let end = Int(ends[id])
    return bytes.withUnsafeBufferPointer {
      body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: $0[start..<end])))
    }
  }

  /// The bytes of the longest text. O(count).
  var longest: Int {
    var start: UInt64 = 0
    var longest: UInt64 = 0
    for end in ends {
      longest = max(longest, end - start)
      start = end
    }
    return Int(longest)
  }

  /// The texts of some of the keys. O(their bytes).
  func subset(_ ids: Column<UInt32>) -> KeyTexts {
    var texts = KeyTextBuffer()
    for id in ids { withBytes(of: Int(id)) { texts.append($0) } }
    return texts.freeze()
  }
}

/// Texts of keys while they are collected.
struct KeyTextBuffer: ~Copyable {
  private var bytes = ColumnBuffer<UInt8>()
  private var ends = ColumnBuffer<UInt64>()

  /// The number of texts.
  var count: Int { ends.count }

  /// Their bytes.
  var byteCount: Int { bytes.count }

  /// Bytes held now, used or not.
  var allocatedBytes: Int { bytes.allocatedBytes + ends.allocatedBytes }

  mutating func append(_ text: UnsafeRawBufferPointer) {
    if let base = text.baseAddress {
      bytes.append(base.assumingMemoryBound(to: UInt8.self), count: text.count)
    }
    ends.append(UInt64(bytes.count))
  }

  /// Appends a text of another buffer.
  mutating func append(_ number: Int, of other: borrowing KeyTextBuffer) {
    guard let ends = other.ends.elements, let bytes = other.bytes.elements else {
      return append(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let start = number == 0 ? 0 : Int(ends[number - 1])
    append(UnsafeRawBufferPointer(start: bytes + start, count: Int(ends[number]) - start))
  }

  /// Forgets the texts and keeps the memory.
  mutating func removeAll() {
    bytes.truncate(to: 0)
    ends.truncate(to: 0)
  }

  consuming func freeze() -> KeyTexts { KeyTexts(bytes: bytes.freeze(), ends: ends.freeze()) }
}
