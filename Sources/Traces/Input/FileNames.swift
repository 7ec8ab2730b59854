import Parameters

/// Names of files, as folders list them and as paths say them.
enum FileNames {
  /// The names in a folder, in no order; none of one that cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The folders from the root on that lead to a file, and its name, without `.` and `..`.
  static func components(of path: String) -> ArraySlice<String> {
    var components: ArraySlice<String> = []
    if !path.hasPrefix("/"), let here = getcwd(nil, 0) {
      components = FileNames.components(of: String(cString: here))
      free(here)
    }
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = components.popLast() } else { components.append(String(part)) }
    }
    return components
  }
}
