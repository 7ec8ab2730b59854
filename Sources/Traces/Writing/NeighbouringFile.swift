import Parameters

/// The files that the tool writes beside another for a while.
package enum NeighbouringFile {
  /// The path of a file beside another: its path with a suffix.
  ///
  /// It is a hidden one, with a hash of the name, where the file system takes no name of that length.
  package static func path(beside path: String, suffix: String) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (folder, name) = (path[..<start], path[start...])
    let limit = pathconf(folder.isEmpty ? "." : String(folder), Int32(_PC_NAME_MAX))
    if name.utf8.count + suffix.utf8.count <= (limit > 0 ? limit : 255) { return path + suffix }
    let hash = Array(name.utf8).withUnsafeBytes { XXHash64.checksum(of: $0) }
    return "\(folder).\(String(hash, radix: 16))\(suffix)"
  }
}
