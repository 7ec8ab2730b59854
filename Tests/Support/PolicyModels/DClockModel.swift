/// D-Clock: two lists and the shadows, in each the least recent first.
final class DClockModel: PolicyModel {
  private var active: [Int] = []
  private var inactive: [Int] = []
  private var shadows: [Int] = []
  /// The evictions and activations so far, in size units, and what they were when each shadow was left.
  private var clock = 0
  private var stamps: [Int: Int] = [:]
  private let share: String
  private let demotesNewest: Bool

  override init(_ options: ModelOptions) {
    share = options.parameters["active"] ?? "0.5"
    demotesNewest = options.parameters["demoted"] == "newest"
    super.init(options)
  }

  override var residents: [Int] { active + inactive }
  override var ghosts: [Int] { shadows }

  private var limit: Int { ModelOptions.floor(share, of: capacity) }

  override func hit(_ key: Int) {
    if active.contains(key) {
      if breaks("an active hit moves") { return }
      active.take(key)
      active.append(key)
    } else {
      inactive.take(key)
      if sizes[key]! > limit {
        inactive.append(key)
      } else {
        if !breaks("a hit in inactive is an activation") { clock += sizes[key]! }
        activate(key)
      }
    }
  }

  private func activate(_ key: Int) {
    active.append(key)
    while length(of: active) > limit {
      let demoted = active.remove(at: demotesNewest ? active.count - 2 : 0)
      inactive.insert(
        demoted, at: breaks("what is demoted enters as the most recent") ? 0 : inactive.count)
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let isNear =
      shadows.contains(key)
      && (clock - stamps[key]! <= length(of: active) || breaks("a shadow must come back in time"))
    let isActivated = isNear && size <= limit && !breaks("a shadow is activated")
    if isActivated { clock += size }
    while used + size > capacity { evictOne() }
    shadows.take(key)
    sizes[key] = size
    if isActivated { activate(key) } else { inactive.append(key) }
    boundShadows()
    return true
  }

  private func evictOne() {
    let victim = inactive.isEmpty ? active.removeFirst() : inactive.removeFirst()
    clock += sizes[victim]!
    stamps[victim] = clock
    shadows.append(victim)
    reportEviction(of: victim)
  }

  override func evict() {
    evictOne()
    boundShadows()
  }

  override func forget(_ key: Int) {
    active.take(key)
    inactive.take(key)
    shadows.take(key)
  }

  override func restoreLimits() {
    while length(of: active) > limit {
      inactive.append(demotesNewest ? active.removeLast() : active.removeFirst())
    }
    boundShadows()
  }

  private func boundShadows() {
    while length(of: shadows) > limit { shadows.removeFirst() }
  }
}
