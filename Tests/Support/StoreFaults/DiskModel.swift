import Eviction
import Foundation

/// The content of a disk after a power loss: all that was synced, and any part of the rest.
///
/// It follows a store's calls and keeps, of each file and each folder, what is there and what was there when it
/// was last synced. A name lasts only once its folder is synced, bytes only once their file is.
package struct DiskModel {
  /// The remains, after a power loss, of things that were not synced.
  package enum Loss {
    /// Nothing.
    case everything
    /// Of each block of a file, and of each name of a folder, the old or the new, by chance.
    case anything(seed: UInt64)
    /// All: the power went, but the disk was quick.
    case nothing
  }

  private final class Node {
    /// nil for a folder.
    var bytes: [UInt8]?
    var syncedBytes: [UInt8] = []
    var entries: [String: Node] = [:]
    var syncedEntries: [String: Node] = [:]

    init(isFolder: Bool) { bytes = isFolder ? nil : [] }
  }

  private static let block = 4_096
  private let prefix: String
  private let root = Node(isFolder: true)
  /// SQLite syncs the folder together with the first sync of a log.
  private var newLogs: Set<String> = []

  /// An empty disk for the store in `folder`, which itself exists.
  package init(folder: String) { prefix = folder + "/" }

  private func parts(_ path: String) -> [String] {
    path.hasPrefix(prefix)
      ? path.dropFirst(prefix.count).split(separator: "/").map(String.init) : []
  }

  private func node(_ parts: some Sequence<String>) -> Node? {
    var node: Node? = root
    for part in parts { node = node?.entries[part] }
    return node
  }

  /// Lets a call happen, if it can.
  package mutating func apply(_ call: DiskCall) {
    let parts = parts(call.path)
    let folder = node(parts.dropLast())
    let name = parts.last
    switch call {
    case .open(let path, let creates):
      guard creates, let name, let folder else { return }
      if folder.entries[name] == nil { folder.entries[name] = Node(isFolder: false) }
      if path.hasSuffix("-wal") || path.hasSuffix("-journal") { newLogs.insert(path) }
    case .write(_, let bytes, let offset):
      guard let file = node(parts), file.bytes != nil else { return }
      let end = offset + bytes.count
      if file.bytes!.count < end {
        file.bytes! += [UInt8](repeating: 0, count: end - file.bytes!.count)
      }
      file.bytes!.replaceSubrange(offset..<end, with: bytes)
    case .truncate(_, let size):
      guard let file = node(parts), let bytes = file.bytes else { return }
      file.bytes = Array(bytes.prefix(size))
    case .sync(let path):
      // What is above the store is not modelled.
      guard path + "/" == prefix || path.hasPrefix(prefix), let node = node(parts) else { return }
      node.syncedBytes = node.bytes ?? []
      node.syncedEntries = node.entries
      if newLogs.remove(path) != nil, let folder { folder.syncedEntries = folder.entries }
    case .rename(_, let newPath):
      let target = self.parts(newPath)
      guard let name, let folder, let node = folder.entries[name],
        let newFolder = self.node(target.dropLast()), let newName = target.last
      else { return }
      folder.entries[name] = nil
      newFolder.entries[newName] = node
    case .remove(_, let syncsFolder):
      guard let name, let folder else { return }
      folder.entries[name] = nil
      if syncsFolder { folder.syncedEntries = folder.entries }
    case .makeFolder:
      guard let name, let folder, folder.entries[name] == nil else { return }
      folder.entries[name] = Node(isFolder: true)
    case .removeFolder:
      guard let name, let folder, folder.entries[name]?.entries.isEmpty == true else { return }
      folder.entries[name] = nil
    case .allocate, .read, .lock, .look: break
    }
  }

  /// Makes what a power loss leaves in a real, empty folder.
  package func write(to folder: String, losing loss: Loss) throws {
    var generator = SplitMix64(seed: 0)
    if case .anything(let seed) = loss { generator = SplitMix64(seed: seed) }
    try write(root, to: folder, loss, &generator)
  }

  private func write(
    _ node: Node, to path: String, _ loss: Loss, _ generator: inout SplitMix64
  ) throws {
    guard let bytes = node.bytes else {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let names = Set(node.entries.keys).union(node.syncedEntries.keys).sorted()
      for name in names {
        let kept: Node? =
          switch loss {
          case .everything: node.syncedEntries[name]
          case .nothing: node.entries[name]
          case .anything:
            Bool.random(using: &generator) ? node.entries[name] : node.syncedEntries[name]
          }
        if let kept { try write(kept, to: "\(path)/\(name)", loss, &generator) }
      }
      return
    }
    let kept =
      switch loss {
      case .everything: node.syncedBytes
      case .nothing: bytes
      case .anything: mixed(bytes, node.syncedBytes, &generator)
      }
    try Data(kept).write(to: URL(fileURLWithPath: path), options: [])
  }

  private func mixed(
    _ new: [UInt8], _ old: [UInt8], _ generator: inout SplitMix64
  ) -> [UInt8] {
    let size = Bool.random(using: &generator) ? new.count : old.count
    var mixed = [UInt8](repeating: 0, count: size)
    for start in stride(from: 0, to: size, by: Self.block) {
      let source = Bool.random(using: &generator) ? new : old
      let end = min(start + Self.block, size, source.count)
      if start < end { mixed.replaceSubrange(start..<end, with: source[start..<end]) }
    }
    return mixed
  }
}
