import Testing
import Traces

@Suite struct KeyHashTests {
  private func hash(_ text: String) -> KeyHash { hash(Array(text.utf8)) }

  private func hash(_ bytes: [UInt8]) -> KeyHash {
    bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { KeyHash($0, count: bytes.count) } ?? KeyHash(low: 0, high: 0)
    }
  }

  @Test func publishedValuesComeOut() {
    #expect(
      hash("hello") == KeyHash(low: 0xcbd8_a7b3_41bd_9b02, high: 0x5b1e_906a_48ae_1d19))
    #expect(
      hash("The quick brown fox jumps over the lazy dog")
        == KeyHash(low: 0xe34b_bc7b_bc07_1b6c, high: 0x7a43_3ca9_c49a_9347))
  }

  @Test func everyLengthAgreesWithAPlainRendering() {
    var random = SeededNumbers(1)
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(hash(bytes) == plain(bytes), "\(count) bytes")
    }
  }

  @Test func numbersHashAsTheirDecimalText() {
    var random = SeededNumbers(2)
    let numbers = [0, 1, 9, 10, 99, 100, UInt64.max] + (0..<200).map { _ in random.next() >> 13 }
    for number in numbers { #expect(KeyHash(decimal: number) == hash("\(number)")) }
  }

  @Test func leadingZerosMakeAnotherKey() {
    #expect(hash("007") != hash("7"))
  }

  /// MurmurHash3_x64_128 as its reference reads, byte by byte.
  private func plain(_ bytes: [UInt8]) -> KeyHash {
    func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
      value << bits | value >> (64 - bits)
    }
    func word(_ part: ArraySlice<UInt8>) -> UInt64 {
      part.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let c1: UInt64 = 0x87c3_7b91_1142_53d5
    let c2: UInt64 = 0x4cf5_ad43_2745_937f
    var h1: UInt64 = 0
    var h2: UInt64 = 0
    var rest = bytes[...]
    while rest.count >= 16 {
      h1 ^= rotate(word(rest.prefix(8)) &* c1, 31) &* c2
      h1 = (rotate(h1, 27) &+ h2) &* 5 &+ 0x52dc_e729
      h2 ^= rotate(word(rest.dropFirst(8).prefix(8)) &* c2, 33) &* c1
      h2 = (rotate(h2, 31) &+ h1) &* 5 &+ 0x3849_5ab5
      rest = rest.dropFirst(16)
    }
    h2 ^= rotate(word(rest.dropFirst(8)) &* c2, 33) &* c1
    h1 ^= rotate(word(rest.prefix(8)) &* c1, 31) &* c2
    h1 ^= UInt64(bytes.count)
    h2 ^= UInt64(bytes.count)
    h1 &+= h2
    h2 &+= h1
    h1 = KeyHash.finish(h1)
    h2 = KeyHash.finish(h2)
    h1 &+= h2
    h2 &+= h1
    return KeyHash(low: h1, high: h2)
  }
}
