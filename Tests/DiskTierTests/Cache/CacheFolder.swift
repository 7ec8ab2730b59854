import Foundation

/// A folder of a test's own, which goes with it.
final class CacheFolder: Sendable {
  let path: String

  init() {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("evictionlab-\(UUID().uuidString)").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
