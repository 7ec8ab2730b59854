import DiskTier

extension Claim {
  /// Reads from files against reads from SQLite, by size.
  static let largeFilesReadFaster = Claim(
    "C19", "Above 20 KB a file reads faster than SQLite.",
    hypothesis: "A get of a value above 20480 bytes takes less time from a file than from SQLite; "
      + "one of 4096 bytes takes more.",
    effect: "file time / SQLite time",
    note: "“cold” means that the system was asked to forget its cached pages; a disk may have "
      + "its own",
    conditions: [4_096, 32_768, 131_072, 524_288].flatMap { size in
      [(4_096, false), (16_384, false), (4_096, true)].map { page, isCold in
        ClaimCondition(
          ["bytes": "\(size)", "page": "\(page)", "cache": isCold ? "cold" : "warm"],
          size > 20_480 ? .faster : .slower
        ) { context in
          let values = (0..<8).map { _ in context.bytes(size) }
          let folder = context.folder
          func read(_ name: String, threshold: Int) throws -> Double {
            var options = StoreOptions()
            options.inlineThreshold = threshold
            options.pageSize = page
            options.pageCache = 1 << 16
            options.reconcilesOnOpen = false
            let path = "\(folder)/\(name)"
            let filled = try HybridStore(path: path, options: options)
            for (key, value) in values.enumerated() { try filled.put(value, forKey: "\(key)") }
            try filled.close()
            if isCold { PlainFile.forget(path) }
            let store = try HybridStore(path: path, options: options)
            defer { try? store.close() }
            return try nanoseconds {
              for round in 0..<(isCold ? 1 : 10) {
                for key in values.indices { keep(try store.get("\((key + round) % 8)")) }
              }
            }
          }
          return try context.compare {
            try read("files", threshold: 0)
          } with: {
            try read("sqlite", threshold: .max)
          }
        }
      }
    })
}
