/// Segments, the lowest (probationary) first; in each the least recent first.
final class SLRUModel: PolicyModel {
  private var segments: [[Int]]
  private let protectedShare: String
  private let isFixed: Bool
  private let fillsProtected: Bool
  private let hasEqualSegments: Bool

  override init(_ options: ModelOptions) {
    let count = options.parameters["segments"].map { Int($0)! }
    hasEqualSegments = count != nil
    segments = Array(repeating: [], count: count ?? 2)
    protectedShare = options.parameters["protected"] ?? "0.8"
    isFixed = options.parameters["probation"] == "fixed"
    fillsProtected = options.parameters["fill"] == "protected"
    super.init(options)
  }

  override var residents: [Int] { segments.flatMap { $0 } }

  /// Returns the limit of a segment; for the lowest, its limit if it is fixed.
  private func quota(_ segment: Int) -> Int {
    let upper =
      hasEqualSegments
      ? capacity / segments.count : ModelOptions.floor(protectedShare, of: capacity)
    return segment > 0 ? upper : capacity - upper * (segments.count - 1)
  }

  private func room(_ segment: Int) -> Int { quota(segment) - length(of: segments[segment]) }

  override func hit(_ key: Int) {
    let segment = segments.firstIndex { $0.contains(key) }!
    let next = min(segment + 1, segments.count - 1)
    if next == segment && breaks("a protected hit moves") { return }
    segments[segment].take(key)
    segments[next].append(key)
    restoreLimits()
  }

  /// Overflow cascades down, and out of a fixed probationary segment.
  override func restoreLimits() {
    for segment in stride(from: segments.count - 1, to: 0, by: -1) {
      while room(segment) < 0 {
        let demoted = segments[segment].removeFirst()
        let isLeast = breaks("overflow enters as the most recent")
        segments[segment - 1].insert(demoted, at: isLeast ? 0 : segments[segment - 1].count)
      }
    }
    while isFixed && room(0) < 0 { reportEviction(of: segments[0].removeFirst()) }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    // Nothing may leave for a newcomer that no segment can take.
    if isFixed && size > quota(0) && lowestWithRoom(for: size) == nil { return false }
    while used + size > capacity { evict() }
    let segment = lowestWithRoom(for: size) ?? 0
    while segment == 0 && isFixed && room(0) < size {
      reportEviction(of: segments[0].removeFirst())
    }
    sizes[key] = size
    segments[segment].append(key)
    return true
  }

  /// Returns the segment in which `fill=protected` puts a newcomer: protected, or with n segments the lowest
  /// with room.
  private func lowestWithRoom(for size: Int) -> Int? {
    if !fillsProtected { return nil }
    if !hasEqualSegments { return room(1) >= size ? 1 : nil }
    return segments.indices.first { room($0) >= size }
  }

  override func evict() {
    let lowest = segments.firstIndex { !$0.isEmpty }!
    reportEviction(of: segments[lowest].removeFirst())
  }

  override func forget(_ key: Int) {
    for segment in segments.indices { segments[segment].take(key) }
  }
}
