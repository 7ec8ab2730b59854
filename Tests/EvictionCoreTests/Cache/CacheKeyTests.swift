import Eviction
import Testing

@Suite("Text as a key")
struct StablyHashableTests {
  @Test("Equal strings have equal hashes, however they are spelled")
  func equivalentSpellings() {
    let pairs = [
      ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("a;b`", "a\u{37E}b\u{1FEF}"),
      ("\u{C5}ngstr\u{F6}m", "\u{212B}ngstro\u{308}m"), ("\u{212A}\u{E9}", "Ke\u{301}"),
    ]
    for (one, other) in pairs {
      #expect(one == other && one.stableHash(seed: 3) == other.stableHash(seed: 3))
    }
  }

  @Test("A number and ASCII have the same hash in every process, wherever the text is stored")
  func stable() {
    let text = "https://example.org/a/picture.png"
    #expect(text.stableHash(seed: 42) == 8_817_718_789_419_453_547)
    #expect(7.stableHash(seed: 42) == 11_828_093_448_161_057_874)
    #expect("".stableHash(seed: 42) == 13_373_573_030_289_774_125)
    let part = "<\(text)>".dropFirst().dropLast()
    #expect(String(part).stableHash(seed: 42) == text.stableHash(seed: 42))
    #expect(text.keyLength == 33)
  }

  @Test("So has other text")
  func stableBeyondASCII() {
    #expect("caf\u{E9}".stableHash(seed: 42) == 5_994_638_178_490_476_069)
    #expect("\u{65E5}\u{672C}\u{8A9E}".stableHash(seed: 42) == 14_076_147_110_333_925_406)
    #expect("caf\u{E9}".stableHash(seed: 42) != "caf\u{E9}".stableHash(seed: 43))
  }

  @Test("Texts that differ a little have hashes that differ much")
  func spread() {
    var seen: Set<UInt64> = []
    var ones = 0
    for number in 0..<4_096 {
      let hash = "user:\(number)".stableHash(seed: 1)
      #expect(seen.insert(hash).inserted)
      ones += (hash ^ "user:\(number ^ 1)".stableHash(seed: 1)).nonzeroBitCount
    }
    #expect((30...34).contains(Double(ones) / 4_096))
    seen = []
    for number in 0..<4_096 { #expect(seen.insert("\u{FC}\(number)".stableHash(seed: 1)).inserted) }
    let lengths = (0...20).map { String(repeating: "\0", count: $0).stableHash(seed: 1) }
    #expect(Set(lengths).count == 21)
  }

  @Test("A cache finds what was stored under an equivalent spelling")
  func inACache() throws {
    let cache = MemoryCache<String, Int>(countLimit: 10, policy: .lru)
    cache["caf\u{E9}"] = 1
    #expect(cache["cafe\u{301}"] == 1)
  }
}
