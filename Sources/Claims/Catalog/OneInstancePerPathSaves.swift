import DiskTier

extension Claim {
  /// One instance per path against one per use.
  static let oneInstancePerPathSaves = Claim(
    "C22", "One instance per path saves much.",
    hypothesis: "A use takes less time with the instance that the registry holds than with one "
      + "that is opened for it.",
    effect: "time with the registry / time with an opening",
    conditions: [1, 1_000].map { entries in
      ClaimCondition(["entries": "\(entries)"], .faster) { context in
        let path = "\(context.folder)/cache"
        func open() throws -> DiskCache<String, [UInt8]> {
          try DiskCache.open(path: path, coder: .bytes)
        }
        let filled = try open()
        for key in 0..<entries { try filled.set([1, 2, 3], forKey: "\(key)") }
        filled.close()
        func use(_ cache: DiskCache<String, [UInt8]>) throws { keep(try cache.value(forKey: "0")) }
        return try context.compare {
          let held = try open()
          defer { held.close() }
          return try nanoseconds { for _ in 0..<20 { try use(open()) } }
        } with: {
          try nanoseconds {
            for _ in 0..<20 {
              let cache = try open()
              try use(cache)
              cache.close()
            }
          }
        }
      }
    })
}
