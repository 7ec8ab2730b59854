/// A queue of keys with a counter each; the hand looks at the oldest.
final class CLOCKModel: PolicyModel {
  private var queue: [Int] = []  // the oldest first
  private var counter: [Int: Int] = [:]
  private let initial: Int
  private let maximum: Int
  private let insertsFirst: Bool

  override init(_ options: ModelOptions) {
    initial = Int(options.parameters["insertBit"] ?? "0")!
    let bits = Int(options.parameters["bits"] ?? "1")!
    maximum = (0..<bits).reduce(1) { power, _ in power * 2 } - 1
    insertsFirst = options.parameters["order"] == "insert-first"
    super.init(options)
  }

  override var residents: [Int] { queue }

  override func hit(_ key: Int) { counter[key] = min(counter[key]! + 1, maximum) }

  override func miss(_ key: Int, size: Int) -> Bool {
    if !insertsFirst {
      while used + size > capacity { evict() }
    }
    queue.append(key)
    counter[key] = initial
    // Inserting first, the hand may find the newcomer itself.
    while used + size > capacity {
      let found = find()
      queue.take(found)
      if found == key { return false }
      reportEviction(of: found)
    }
    return true
  }

  override func evict() {
    let victim = find()
    queue.take(victim)
    reportEviction(of: victim)
  }

  /// Returns the place where the hand stops.
  private func find() -> Int {
    while counter[queue[0]]! > 0 {
      let passed = queue.removeFirst()
      counter[passed]! -= 1
      queue.append(passed)
    }
    return queue[0]
  }

  override func forget(_ key: Int) { queue.take(key) }
}

/// As in the NSDI 2024 paper, from tail to head; the hand is the key it points at.
final class SIEVEModel: PolicyModel {
  private var queue: [Int] = []  // the tail first
  private var visited: Set<Int> = []
  private var hand: Int?

  override var residents: [Int] { queue }

  override func hit(_ key: Int) { visited.insert(key) }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity {
      evict()
      if hasRefused { return false }
    }
    queue.append(key)
    if breaks("a newcomer is not visited") { visited.insert(key) } else { visited.remove(key) }
    return true
  }

  override func evict() {
    var object = hand ?? queue[0]
    while visited.contains(object) {
      if !breaks("the hand clears what it passes") { visited.remove(object) }
      if breaks("the hand clears what it passes") && visited.isSuperset(of: queue) { visited = [] }
      object = neighbour(of: object) ?? queue[0]
    }
    hand = object
    if !mayEvict(object) { return }
    forget(object)
    if breaks("the hand stays at the victim's neighbour") { hand = nil }
    reportEviction(of: object)
  }

  /// The next key towards the head, or nil at the head.
  private func neighbour(of key: Int) -> Int? {
    let index = queue.firstIndex(of: key)! + 1
    return index < queue.count ? queue[index] : nil
  }

  /// The hand moves off the key that goes.
  override func forget(_ key: Int) {
    if key == hand { hand = neighbour(of: key) }
    queue.take(key)
  }
}
