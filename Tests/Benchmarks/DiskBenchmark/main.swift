import CInline
import DiskTier
import Eviction
import Foundation

// One round of puts, gets, gets with touch and overwrites, of the store and of SQLite alone:
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

/// Runs every operation of a contender over `count` keys.
func measure(
  _ name: String, _ size: Int, _ count: Int,
  put: (String, UnsafeRawBufferPointer) throws -> Void,
  get: (String, _ touching: Bool) throws -> Int
) throws {
  let keys = (0..<count).map { "key-\($0)-of-a-usual-length" }
  func time(_ operation: String, _ order: [Int], _ body: (Int) throws -> Void) rethrows {
    let start = evl_monotonic_nanoseconds()
    for number in order { try body(number) }
    let taken = Double(evl_monotonic_nanoseconds() - start) / 1_000 / Double(order.count)
    print(name, operation, size, taken)
  }
  func value(_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    let start = (number &* 7_919) % (noise.count - size)
    try noise.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[start..<start + size]))
    }
  }
  func shuffled() -> [Int] { keys.indices.shuffled(using: &generator) }
  try time("put", Array(keys.indices)) { number in
    try value(number) { try put(keys[number], $0) }
  }
  for (operation, touching) in [("get", false), ("get-touch", true)] {
    try time(operation, shuffled() + shuffled()) { number in
      guard try get(keys[number], touching) == size else { fatalError("a value is missing") }
    }
  }
  try time("overwrite", shuffled()) { number in
    try value(number + count) { try put(keys[number], $0) }
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
    },
  ]
  if seed % 2 == 1 { runs.reverse() }
  for run in runs { try run() }
}
