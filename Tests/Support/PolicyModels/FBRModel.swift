/// FBR: a stack in three sections, each with its least recent object first.
final class FBRModel: PolicyModel {
  private var sections: [[Int]] = [[], [], []]  // new, middle, old
  private var counts: [Int: Int] = [:]
  private let newShare: String
  private let oldShare: String
  private let maximumCount: Int
  private let maximumAverage: Int

  override init(_ options: ModelOptions) {
    newShare = options.parameters["new"] ?? "0.25"
    oldShare = options.parameters["old"] ?? "0.5"
    maximumCount = options.parameters["cmax"].map { Int($0)! } ?? 62
    maximumAverage = options.parameters["amax"].map { Int($0)! } ?? 100
    super.init(options)
  }

  override var residents: [Int] { sections.flatMap { $0 } }

  /// Of the new and the middle section.
  private var limits: [Int] {
    let old = max(1, ModelOptions.floor(oldShare, of: capacity))
    let new = min(ModelOptions.floor(newShare, of: capacity), capacity - old)
    return [new, capacity - old - new]
  }

  override func hit(_ key: Int) {
    let counts = !sections[0].contains(key)
    for section in sections.indices { sections[section].take(key) }
    sections[0].append(key)
    if counts { count(key) }
    restoreLimits()
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    sections[0].append(key)
    counts[key] = 0
    count(key)
    restoreLimits()
    return true
  }

  private func count(_ key: Int) {
    counts[key]! += 1
    let sum = counts.values.reduce(0, +)
    if sum > maximumAverage * counts.count {
      counts = counts.mapValues { ($0 + 1) / 2 }
    }
  }

  override func restoreLimits() {
    for section in 0...1 {
      while length(of: sections[section]) > limits[section] {
        sections[section + 1].append(sections[section].removeFirst())
      }
    }
  }

  override func evict() {
    let victim: Int
    if sections[2].isEmpty {
      victim = sections[1].first ?? sections[0].first!
    } else {
      let lowest = sections[2].map { min(counts[$0]!, maximumCount + 1) }.min()!
      victim = sections[2].first { min(counts[$0]!, maximumCount + 1) == lowest }!
    }
    forget(victim)
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) {
    for section in sections.indices { sections[section].take(key) }
    counts[key] = nil
  }
}
