import Parameters

/// Every key once, in order: what pushes everything else out of a cache and never comes back.
struct ScanGenerator: TraceGenerator {
  static let information = CatalogEntry(
    name: "scan", summary: "every key once, in order",
    parameters: [
      Parameter(
        "first", .integer(in: 0...Int.most), default: .integer(0), help: "the first key"),
      .requests, .objectSize,
    ])

  let keys: UInt64
  private var next: UInt64

  init(_ arguments: Arguments, seed: UInt64) {
    next = UInt64(arguments.integer("first"))
    keys = next + UInt64(arguments.integer("requests"))
  }

  mutating func fill(_ keys: UnsafeMutableBufferPointer<UInt64>) {
    for index in keys.indices {
      keys[index] = next
      next += 1
    }
  }
}
