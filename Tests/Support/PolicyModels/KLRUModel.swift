/// k-LRU: k lists, of which the last is the cache and the others hold keys; in each the least recent first.
final class KLRUModel: PolicyModel {
  private var lists: [[Int]]
  private let ghostShare: String

  override init(_ options: ModelOptions) {
    lists = Array(repeating: [], count: Int(options.parameters["k"] ?? "2")!)
    ghostShare = options.parameters["ghosts"] ?? "1"
    super.init(options)
  }

  private var cache: Int { lists.count - 1 }

  override var residents: [Int] { lists[cache] }
  override var ghosts: [Int] {
    Array(Set(lists.joined()).subtracting(lists[cache]))
  }

  override func hit(_ key: Int) {
    lists[cache].take(key)
    lists[cache].append(key)
    if !breaks("a hit passes the lists of keys") { passLists(key) }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let wasKnown = lists.contains { $0.contains(key) }
    let isDue = cache == 0 || lists[cache - 1].contains(key)
    if isDue { while used + size > capacity { evict() } }
    if isDue || !wasKnown { sizes[key] = size }
    if isDue { lists[cache].append(key) }
    passLists(key)
    return isDue
  }

  /// Enters the first list, and each whose forerunner had the key before; renews the key in those that have it.
  private func passLists(_ key: Int) {
    let before = lists
    for number in 0..<cache {
      if before[number].contains(key) {
        if breaks("a key is renewed in its lists") { continue }
        lists[number].take(key)
        lists[number].append(key)
      } else if number == 0 || before[number - 1].contains(key)
        || breaks("a key passes one list at a request")
      {
        lists[number].append(key)
      }
    }
    restoreLimits()
  }

  override func restoreLimits() {
    for number in 0..<cache {
      while length(of: lists[number]) > ModelOptions.floor(ghostShare, of: capacity) {
        lists[number].removeFirst()
      }
    }
  }

  override func evict() {
    let victim = lists[cache].removeFirst()
    if breaks("a victim stays in the lists of keys") { forget(victim) }
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) {
    for number in lists.indices { lists[number].take(key) }
  }
}
