import Parameters

/// A path in which `*` stands for any characters of a name, as a shell reads it.
package enum FilePattern {
  /// The files that fit, in the order of their names; empty where none does.
  package static func files(of pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    let paths = UnsafeBufferPointer(start: found.gl_pathv, count: Int(found.gl_pathc))
    return paths.compactMap { $0.map { String(cString: $0) } }
  }

  /// The pattern that stands for these files of one folder and for no others; nil if there is none of the form
  /// `beginning*end`.
  package static func pattern(for files: [String]) -> String? {
    guard files.count > 1, let first = files.first else { return nil }
    var (start, end) = (first[...], first[...])
    for file in files.dropFirst() {
      while !file.hasPrefix(start) { start.removeLast() }
      while !file.hasSuffix(end) { end.removeFirst() }
    }
    // One that overlaps its own end would ask for more characters than the shortest name has.
    let shortest = files.map(\.count).min() ?? 0
    while start.count + end.count > shortest, !end.isEmpty { end.removeFirst() }
    if start.contains(where: { "*?[\\".contains($0) }) || end.contains("/") { return nil }
    let pattern = "\(start)*\(end)"
    return self.files(of: pattern) == files ? pattern : nil
  }
}
