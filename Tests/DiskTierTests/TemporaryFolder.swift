import DiskTier
import Foundation
import StoreFaults

/// A folder for one test, which takes its content along.
final class TemporaryFolder {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "disk-tier-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of the store in it.
  var store: String { path + "/store" }

  /// The paths of all files under a part of the store.
  func files(_ part: String = "data") -> [String] {
    let root = "\(store)/\(part)"
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.map { "\(root)/\($0)" }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  func size(_ name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(store)/\(name)")
    return attributes?[.size] as? Int ?? 0
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(store)/\(name)")
  }

  /// The bytes of a file of the store.
  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(store)/\(name)")))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(fileURLWithPath: "\(store)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Foundation would sync the file.
    let file = open(url.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    defer { close(file) }
    if Foundation.write(file, bytes, bytes.count) != bytes.count {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}

extension StoreOptions {
  /// As the scripts want it: small values go to files.
  static func testing(_ change: (inout StoreOptions) -> Void = { _ in }) -> StoreOptions {
    var options = StoreOptions()
    options.inlineThreshold = StoreStep.threshold
    change(&options)
    return options
  }
}

/// The bytes of a value with a number.
func bytes(_ value: Int) -> [UInt8] { StoreStep.bytes(value) }

/// The number of a value that is inline, and of one that has a file.
let inlineValue = 2
let fileValue = 5
