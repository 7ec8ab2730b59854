import Traces

/// The memory that this process may still take.
package enum AvailableMemory {
  /// The least of what the machine, the control groups and the process's limits leave; nil where the system
  /// does not say.
  ///
  /// - Parameter root: The folder in which `proc` and `sys` stand.
  package static func bytes(root: String = "") -> Int? {
    ([machine(root)] + limits(root) + controlGroups(root)).compactMap(\.self).min()
  }

  /// The memory that programs can have without others losing theirs, and swap.
  private static func machine(_ root: String) -> Int? {
    let lines = lines(of: "\(root)/proc/meminfo")
    return kibibytes("MemAvailable:", in: lines).map {
      $0 + (kibibytes("SwapFree:", in: lines) ?? 0)
    }
  }

  /// The bytes that `ulimit -v` and `ulimit -d` leave.
  private static func limits(_ root: String) -> [Int?] {
    let status = lines(of: "\(root)/proc/self/status")
    let limits = lines(of: "\(root)/proc/self/limits")
    return [("Max address space", "VmSize:"), ("Max data size", "VmData:")].map { limit, used in
      let line = limits.first { $0.hasPrefix(limit) }?.dropFirst(limit.count)
      guard let most = line?.split(separator: " ").first.flatMap({ Int($0) }),
        let used = kibibytes(used, in: status)
      else { return nil }
      return most - used
    }
  }

  /// The bytes that the control groups of the process leave, of version 1 or 2.
  private static func controlGroups(_ root: String) -> [Int?] {
    lines(of: "\(root)/proc/self/cgroup").flatMap { line -> [Int?] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let path = parts[2].split(separator: "/")
      // A container sees its own group where the machine has the root of all.
      let groups = (0...path.count).map { path.prefix($0).map { "/\($0)" }.joined() }
      if parts[1].isEmpty {
        return groups.map {
          left(
            "\(root)/sys/fs/cgroup\($0)", most: "memory.max", used: "memory.current",
            reclaimable: "inactive_file ")
        }
      }
      guard parts[1].split(separator: ",").contains("memory") else { return [] }
      return groups.map {
        left(
          "\(root)/sys/fs/cgroup/memory\($0)", most: "memory.limit_in_bytes",
          used: "memory.usage_in_bytes", reclaimable: "total_inactive_file ")
      }
    }
  }

  /// The bytes that a group leaves; inactive pages of files are given back first.
  private static func left(
    _ group: String, most: String, used: String, reclaimable: String
  ) -> Int? {
    guard let most = number("\(group)/\(most)"), let used = number("\(group)/\(used)") else {
      return nil
    }
    let line = lines(of: "\(group)/memory.stat").first { $0.hasPrefix(reclaimable) }
    return max(0, most - used + (line.flatMap { Int($0.dropFirst(reclaimable.count)) } ?? 0))
  }

  private static func number(_ file: String) -> Int? { lines(of: file).first.flatMap { Int($0) } }

  private static func kibibytes(_ name: String, in lines: [Substring]) -> Int? {
    let line = lines.first { $0.hasPrefix(name) }?.dropFirst(name.count)
    return line?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }.map { $0 << 10 }
  }

  private static func lines(of file: String) -> [Substring] {
    guard let bytes = try? WholeFile.read(file) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
