import DiskTier

extension Claim {
  /// Files alone against files and SQLite, for images.
  static let filesAloneReadImagesBest = Claim(
    "C31", "For images, files alone read best.",
    hypothesis: "Reading images takes less time from a store of files than from one that keeps "
      + "values up to 20 KB in SQLite.",
    effect: "time with files alone / time with both",
    conditions: [
      ("thumbnails", 4_000..<16_000), ("photos", 64_000..<512_000), ("mixed", 4_000..<64_000),
    ].map { (name: String, sizes: Range<Int>) in
      ClaimCondition(["images": name], .faster) { context in
        let values = (0..<40).map { _ in
          let size = sizes.lowerBound + context.random.index(below: sizes.count)
          return [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
        }
        let order = context.indices(200, below: values.count)
        let folder = context.folder
        func read(threshold: Int) throws -> Double {
          var options = StoreOptions()
          options.inlineThreshold = threshold
          let store = try HybridStore(path: "\(folder)/\(threshold)", options: options)
          defer { try? store.close() }
          for (key, value) in values.enumerated() { try store.put(value, forKey: "\(key)") }
          return try nanoseconds { for key in order { keep(try store.get("\(key)")) } }
        }
        return try context.compare {
          try read(threshold: 0)
        } with: {
          try read(threshold: StoreOptions().inlineThreshold)
        }
      }
    })
}
