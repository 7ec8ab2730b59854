import DiskTier

extension Claim {
  /// SQLite against files at equal durability.
  static let sqliteWritesFaster = Claim(
    "C18", "SQLite writes faster than files.",
    hypothesis: "Writing values takes less time into SQLite than into files, at the same "
      + "durability.",
    effect: "SQLite time / file time",
    conditions: [1_024, 65_536].flatMap { size in
      Durability.allCases.map { durability in
        ClaimCondition(["bytes": "\(size)", "survives": durability.rawValue], .faster) { context in
          let value = context.bytes(size)
          let count = durability == .powerLoss ? 12 : 100
          var options = StoreOptions()
          options.inlineThreshold = .max
          options.durability = durability
          let folder = context.folder
          let store = try HybridStore(path: "\(folder)/store", options: options)
          defer { try? store.close() }
          return try context.compare {
            try nanoseconds { for key in 0..<count { try store.put(value, forKey: "\(key)") } }
          } with: {
            try nanoseconds {
              for key in 0..<count {
                try PlainFile.writeAtomically(
                  value, to: "\(folder)/\(key)", syncs: durability == .powerLoss)
              }
            }
          }
        }
      }
    })
}
