import Eviction
import Testing

/// In workloads a's key has 4 bytes, b's and d's 2, c's 11, f's 12, t's and w's 1.
@Suite("Eviction by key length, by hand")
struct KeyLengthTests {
  @Test("The longest or the shortest key leaves, among equals the least recently used")
  func extremesLeave() throws {
    #expect(try outcome(of: "key-length", capacity: 3, "a b c f t") == ". . . .c .f")
    #expect(try outcome(of: "key-length:order=shortest", capacity: 3, "a b c f t") == ". . . .b .a")
    #expect(try outcome(of: "key-length", capacity: 2, "b d b t") == ". . + .d")
  }

  @Test("Lengths are told apart up to 65533 bytes")
  func longKeys() throws {
    func run(_ lengths: [Int]) throws -> String {
      let requests = lengths.enumerated().map { Request(slot: Slot($0), keyLength: $1) }
      return try outcome(of: KeyLength.self, capacity: 2, requests)
    }
    #expect(try run([65_532, 65_533, 1, 300]) == ". . .b .a")
    #expect(try run([65_534, .max, 1]) == ". . .a")
    #expect(try run([0, 5_000, 256, 255]) == ". . .b .c")
  }
}
