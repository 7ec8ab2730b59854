/// CLOCK-Pro: one list, the oldest page first, in which the three hands are searched for.
///
/// HANDhot is at the oldest hot page, HANDcold at the oldest resident cold page, and HANDtest at the
/// oldest page in its test period. No page older than HANDhot is in its test period.
final class ClockProModel: PolicyModel {
  private enum Kind {
    case hot, cold, ghost
  }

  private var list: [Int] = []
  private var kind: [Int: Kind] = [:]
  private var tested: Set<Int> = []
  private var referenced: Set<Int> = []
  /// For CLOCK-Pro+: cold pages that were hot, and that no hand has seen requested since.
  private var demoted: Set<Int> = []
  private var target = 0
  private let coldShare: String
  private let mostColdShare: String
  private let ghostShare: String
  private let isPlus: Bool

  override init(_ options: ModelOptions) {
    coldShare = options.parameters["cold"] ?? "0.01"
    ghostShare = options.parameters["ghosts"] ?? "1"
    isPlus = options.parameters["adapt"] == "utility"
    mostColdShare = options.parameters["most"] ?? (isPlus ? "0.5" : "1")
    super.init(options)
    adjustTarget(by: 0)
  }

  override var residents: [Int] { list.filter { kind[$0] != .ghost } }
  override var ghosts: [Int] { list.filter { kind[$0] == .ghost } }

  private func size(of wanted: Kind) -> Int { length(of: list.filter { kind[$0] == wanted }) }
  private func oldest(_ wanted: Kind) -> Int? { list.first { kind[$0] == wanted } }
  private var leastCold: Int { max(1, ModelOptions.floor(coldShare, of: capacity)) }

  private func adjustTarget(by difference: Int) {
    let most = min(capacity - leastCold, ModelOptions.floor(mostColdShare, of: capacity))
    target = max(leastCold, min(most, target + difference))
  }

  /// How far CLOCK-Pro+ moves its target for a page of that size.
  private func step(_ upper: Int, _ lower: Int, _ size: Int) -> Int {
    size == 0 ? 0 : max(1, upper / max(size, lower)) * size
  }

  private func noteReturn(_ key: Int) {
    adjustTarget(by: -step(length(of: ghosts), length(of: Array(demoted)), sizes[key]!))
    demoted.remove(key)
  }

  override func hit(_ key: Int) { referenced.insert(key) }

  override func miss(_ key: Int, size newSize: Int) -> Bool {
    var isHot = used + newSize <= capacity - leastCold
    if !isHot {
      while used + newSize > capacity { evict() }
      isHot = isPromoted(key, size: newSize)
    }
    sizes[key] = newSize
    moveToHead(key, isHot ? .hot : .cold, isTested: !isHot)
    return true
  }

  private func moveToHead(_ key: Int, _ newKind: Kind, isTested: Bool) {
    leave(key)
    list.append(key)
    kind[key] = newKind
    if isTested { tested.insert(key) }
    settle()
  }

  private func leave(_ key: Int) {
    list.take(key)
    kind[key] = nil
    tested.remove(key)
    referenced.remove(key)
    demoted.remove(key)
  }

  /// HANDhot ends the test periods of pages older than the oldest hot one.
  private func settle() {
    guard let hot = oldest(.hot) else { return }
    for key in list.prefix(while: { $0 != hot }) { endTest(key) }
  }

  private func endTest(_ key: Int) {
    if tested.remove(key) == nil { return }
    if !isPlus { adjustTarget(by: referenced.contains(key) ? sizes[key]! : -sizes[key]!) }
    if kind[key] == .ghost { leave(key) }
  }

  override func evict() {
    while true {
      guard let key = oldest(.cold) else {
        demoteOne()
        continue
      }
      if referenced.contains(key) {
        if demoted.contains(key) { noteReturn(key) }
        let isHot = isPromoted(key, size: sizes[key]!)
        moveToHead(key, isHot ? .hot : .cold, isTested: !isHot)
        continue
      }
      if tested.contains(key) { kind[key] = .ghost } else { leave(key) }
      reportEviction(of: key)
      dropGhosts()
      return
    }
  }

  /// Returns true if a page requested in its test period finds room among the hot ones.
  private func isPromoted(_ key: Int, size newSize: Int) -> Bool {
    if !tested.contains(key) { return false }
    if !isPlus {
      adjustTarget(by: newSize)
    } else if kind[key] == .ghost {
      adjustTarget(by: step(length(of: Array(demoted)), length(of: ghosts), newSize))
    }
    while size(of: .hot) + newSize > capacity - target {
      var wasDemoted = false
      while !wasDemoted {
        guard tested.contains(key), oldest(.hot) != nil else { return false }
        wasDemoted = moveHandHot(towards: key)
      }
    }
    return true
  }

  private func demoteOne() {
    while !moveHandHot() {}
  }

  private func moveHandHot(towards candidate: Int? = nil) -> Bool {
    let key = oldest(.hot)!
    if !referenced.contains(key) {
      moveToHead(key, .cold, isTested: false)
      if isPlus { demoted.insert(key) }
      return true
    }
    if isPlus, let candidate {
      // Between this page and the next hot one; the search ends at the candidate.
      for other in list.drop(while: { $0 != key }).dropFirst() {
        if kind[other] == .hot || other == candidate { break }
        if demoted.contains(other) && referenced.contains(other) { noteReturn(other) }
        endTest(other)
      }
    }
    moveToHead(key, .hot, isTested: false)
    return false
  }

  private func dropGhosts() {
    while size(of: .ghost) > ModelOptions.floor(ghostShare, of: capacity) {
      endTest(list.first { tested.contains($0) }!)
    }
  }

  override func forget(_ key: Int) {
    leave(key)
    settle()
  }

  /// The hands do not move over what is gone at once.
  override func forgetAll() { for key in list { leave(key) } }

  override func restoreLimits() {
    adjustTarget(by: 0)
    while size(of: .hot) > capacity - leastCold { demoteOne() }
    dropGhosts()
  }
}
