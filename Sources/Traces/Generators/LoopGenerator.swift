import Parameters

/// The same keys in the same order, again and again: LRU's worst case when they don't fit.
struct LoopGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "loop", summary: "the same keys in the same order, again and again",
    parameters: [.integer("keys", 1000, "keys of the loop, from 0"), .requests, .objectSize])

  let keys: UInt64
  private var position: UInt64 = 0

  init(_ arguments: Arguments, seed: UInt64) { keys = UInt64(arguments.integer("keys")) }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    for index in keys.indices {
      keys[index] = position
      position = position + 1 == self.keys ? 0 : position + 1
    }
  }
}
