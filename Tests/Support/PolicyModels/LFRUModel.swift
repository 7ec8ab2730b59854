/// A privileged LRU partition, and an unprivileged one where the lowest count leaves.
final class LFRUModel: PolicyModel {
  private var privileged: [Int] = []  // the least recent first
  private var unprivileged: [Int] = []  // in the order of their last change
  private var counts: [Int: Int] = [:]  // of the unprivileged
  private let share: String
  private let popular: Int
  private let window: Int
  private var observed = 0
  private var windowEnd: Int

  override init(_ options: ModelOptions) {
    share = options.parameters["privileged"] ?? "0.5"
    popular = Int(options.parameters["popular"] ?? "3")!
    window = Int(options.parameters["window"] ?? "8")!
    windowEnd = window
    super.init(options)
  }

  override var residents: [Int] { privileged + unprivileged }

  override func hit(_ key: Int) {
    if privileged.contains(key) {
      privileged.take(key)
      privileged.append(key)
    } else if counts[key]! + 1 == popular {
      unprivileged.take(key)
      counts[key] = nil
      privileged.append(key)
      restoreLimits()
    } else {
      enter(key, count: counts[key]! + 1)
    }
    observe()
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    enter(key, count: 1)
    observe()
    return true
  }

  private func enter(_ key: Int, count: Int) {
    unprivileged.take(key)
    unprivileged.append(key)
    counts[key] = count
  }

  override func restoreLimits() {
    while length(of: privileged) > ModelOptions.floor(share, of: capacity) {
      enter(privileged.removeFirst(), count: 1)
    }
  }

  private func observe() {
    observed += 1
    if window == 0 || observed < windowEnd { return }
    // Higher counts become more recent; equal ones keep their order.
    unprivileged = (1..<popular).flatMap { count in unprivileged.filter { counts[$0] == count } }
    counts = counts.mapValues { _ in 1 }
    observed = 0
    windowEnd = window * residents.count
  }

  override func evict() {
    let lowest = counts.values.min()
    let victim =
      unprivileged.first { counts[$0] == lowest } ?? privileged[0]
    forget(victim)
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) {
    privileged.take(key)
    unprivileged.take(key)
    counts[key] = nil
  }
}
