import CInline
import DiskTier
import Eviction
import Foundation

// One round of puts, gets, gets with touch, overwrites, and puts into a full cache, each of which evicts the
// oldest entry, of the store (for evictions, a FIFO cache over it) and of SQLite alone:
//
//     DiskBenchmark FOLDER SEED SIZE...
//
// A line of output: contender, operation, bytes of a value, microseconds an operation. The values are
// slices of random bytes, no two alike; disk.py runs the rounds and compares them with python-diskcache.
// STORE_OPTIONS changes the store: `inline=100000,durability=none,sharing=shared,log=16777216`.
let words = CommandLine.arguments
guard words.count > 3, let seed = UInt64(words[2]) else {
  print("DiskBenchmark FOLDER SEED SIZE...")
  exit(64)
}
nonisolated(unsafe) var generator = SplitMix64(seed: seed)
let noise = (0..<(1 << 21)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }

func options() -> StoreOptions {
  var options = StoreOptions()
  let text = ProcessInfo.processInfo.environment["STORE_OPTIONS"] ?? ""
  for part in text.split(separator: ",") {
    let pair = part.split(separator: "=").map(String.init)
    switch pair[0] {
    case "inline": options.inlineThreshold = Int(pair[1])!
    case "durability": options.durability = Durability(rawValue: pair[1])!
    case "sharing": options.sharing = StoreOptions.Sharing(rawValue: pair[1])!
    case "log": options.logLimit = Int(pair[1])!
    case "cache": options.pageCache = Int(pair[1])!
    default: preconditionFailure("no option \(pair[0])")
    }
  }
  return options
}

/// Times an operation of a contender on every number, and prints the line.
func time(
  _ name: String, _ operation: String, _ size: Int, _ order: [Int], _ body: (Int) throws -> Void
) rethrows {
  let start = evl_monotonic_nanoseconds()
  for number in order { try body(number) }
  let taken = Double(evl_monotonic_nanoseconds() - start) / 1_000 / Double(order.count)
  print(name, operation, size, taken)
}

/// The bytes of a value.
func value(
  _ number: Int, _ size: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
) rethrows {
  let start = (number &* 7_919) % (noise.count - size)
  try noise.withUnsafeBytes {
    try body(UnsafeRawBufferPointer(rebasing: $0[start..<start + size]))
  }
}

/// A key; those of following numbers are in no order, as usual keys are.
func key(_ number: Int) -> String {
  "key-\(UInt32(truncatingIfNeeded: number) &* 2_654_435_761)-of-a-usual-length"
}

/// Times puts of new keys into a cache of `count` entries that is full.
func measureEvictions(
  _ name: String, _ size: Int, _ count: Int, put: (String, UnsafeRawBufferPointer) throws -> Void
) throws {
  let keys = (0..<2 * count).map(key)
  for number in 0..<count { try value(number, size) { try put(keys[number], $0) } }
  try time(name, "evict-put", size, Array(count..<2 * count)) { number in
    try value(number, size) { try put(keys[number], $0) }
  }
}

/// Runs every operation of a contender over `count` keys.
func measure(
  _ name: String, _ size: Int, _ count: Int,
  put: (String, UnsafeRawBufferPointer) throws -> Void,
  get: (String, _ touching: Bool) throws -> Int
) throws {
  let keys = (0..<count).map(key)
  func shuffled() -> [Int] { keys.indices.shuffled(using: &generator) }
  try time(name, "put", size, Array(keys.indices)) { number in
    try value(number, size) { try put(keys[number], $0) }
  }
  for (operation, touching) in [("get", false), ("get-touch", true)] {
    try time(name, operation, size, shuffled() + shuffled()) { number in
      guard try get(keys[number], touching) == size else { fatalError("a value is missing") }
    }
  }
  try time(name, "overwrite", size, shuffled()) { number in
    try value(number + count, size) { try put(keys[number], $0) }
  }
}

for size in words[3...].compactMap({ Int($0) }) {
  let count = max(200, min(2_000, (32 << 20) / size))
  let folder = "\(words[1])/\(size)"
  var runs: [() throws -> Void] = [
    {
      let store = try HybridStore(path: "\(folder)/store", options: options())
      try measure("store", size, count) {
        try store.put($1, forKey: $0)
      } get: {
        try store.get($0, touching: $1)?.bytes.count ?? -1
      }
      try store.close()
      var full = DiskCacheOptions()
      full.store = options()
      let cache = try DiskCache<String, [UInt8]>.open(
        path: "\(folder)/cache", countLimit: count, policy: .fifo, options: full, coder: .bytes)
      try measureEvictions("store", size, count) {
        guard try cache.set([UInt8]($1), forKey: $0) else { fatalError("a value was refused") }
      }
      guard try cache.count == count else { fatalError("nothing was evicted") }
      cache.close()
    },
    {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let raw = RawSQLite(path: "\(folder)/raw.sqlite")
      try measure("raw", size, count) {
        raw.put($0, $1)
      } get: {
        raw.get($0, touching: $1).count
      }
      let full = RawSQLite(path: "\(folder)/full.sqlite")
      try measureEvictions("raw", size, count) { full.put($0, $1, keeping: count) }
    },
  ]
  if seed % 2 == 1 { runs.reverse() }
  for run in runs { try run() }
}
