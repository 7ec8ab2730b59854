/// The fewest requests among the last W leaves, among equals the least recently used.
final class WindowLFUModel: PolicyModel {
  /// The oldest first; the key is nil where it was forgotten.
  private var window: [(key: Int?, size: Int)] = []
  private var stay: [Int] = []
  private var evicted: [Int] = []  // the oldest-evicted first
  private var lastUse: [Int: Int] = [:]
  private let windowShare: String
  private let ghostShare: String?

  override init(_ options: ModelOptions) {
    windowShare = options.parameters["window"] ?? "10"
    ghostShare = options.parameters["ghosts"]
    super.init(options)
  }

  override var residents: [Int] { stay }
  override var ghosts: [Int] { evicted }

  private func frequency(_ key: Int) -> Int { window.count { $0.key == key } }

  private func record(_ key: Int, size: Int) {
    lastUse[key] = now
    window.append((key, max(size, 1)))
    slide()
  }

  /// The window holds what fits; a ghost without a request in it does not count.
  private func slide() {
    let limit = ModelOptions.floor(windowShare, of: capacity)
    var size = window.reduce(0) { $0 + $1.size }
    var passed: Set<Int> = []
    while size > limit {
      let oldest = window.removeFirst()
      size -= oldest.size
      if let key = oldest.key { passed.insert(key) }
    }
    evicted.removeAll { passed.contains($0) && frequency($0) == 0 }
  }

  private func boundGhosts() {
    guard let ghostShare else { return }
    while length(of: evicted) > ModelOptions.floor(ghostShare, of: capacity) {
      strikeOut(evicted.removeFirst())
    }
  }

  private func strikeOut(_ key: Int) {
    window = window.map { $0.key == key ? (nil, $0.size) : $0 }
  }

  override func hit(_ key: Int) { record(key, size: sizes[key]!) }

  override func miss(_ key: Int, size: Int) -> Bool {
    record(key, size: size)
    while used + size > capacity { evictOne() }
    evicted.take(key)
    sizes[key] = size
    stay.append(key)
    boundGhosts()
    return true
  }

  private func evictOne() {
    var counts: [Int: Int] = [:]
    for request in window { if let key = request.key { counts[key, default: 0] += 1 } }
    let victim = stay.min { (counts[$0] ?? 0, lastUse[$0]!) < (counts[$1] ?? 0, lastUse[$1]!) }!
    stay.take(victim)
    if counts[victim] != nil { evicted.append(victim) }
    reportEviction(of: victim)
  }

  override func evict() {
    evictOne()
    boundGhosts()
  }

  override func forget(_ key: Int) {
    stay.take(key)
    evicted.take(key)
    strikeOut(key)
  }

  override func restoreLimits() {
    slide()
    boundGhosts()
  }
}
