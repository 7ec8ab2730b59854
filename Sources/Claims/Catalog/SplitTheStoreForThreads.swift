import DiskTier
import EvictionCore

extension Claim {
  /// Several stores for several threads.
  static let splitTheStoreForThreads = Claim(
    "C23", "For many threads split the store.",
    hypothesis: "Operations of eight threads take less time on several stores than on one.",
    effect: "time on several stores / time on one",
    conditions: [2, 4, 8].flatMap { stores in
      ["put", "get"].map { operation in
        ClaimCondition(["stores": "\(stores)", "operation": operation], .faster) { context in
          let folder = context.folder
          let value = context.bytes(1_000)
          func time(_ count: Int) throws -> Double {
            let stores = try (0..<count).map { try HybridStore(path: "\(folder)/\(count)-\($0)") }
            defer { for store in stores { try? store.close() } }
            for thread in 0..<8 { try stores[thread % count].put(value, forKey: "\(thread)") }
            return ThreadGang.run(8) { thread, start in
              let store = stores[thread % count]
              _ = start()
              for round in 0..<50 {
                if operation == "put" {
                  _ = try? store.put(value, forKey: "\(thread)-\(round)")
                } else {
                  keep(try? store.get("\(thread)"))
                }
              }
            }
          }
          return try context.compare {
            try time(stores)
          } with: {
            try time(1)
          }
        }
      }
    })
}
