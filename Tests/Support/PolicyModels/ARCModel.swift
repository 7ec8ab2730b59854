/// ARC as in Figure 4 of the FAST 2003 paper; in each list the least recent first.
///
/// Two more things hold than the figure needs: where objects have sizes, each step is repeated until its
/// limit holds; and the limits of the directory, |T1| + |B1| ≤ C and C plus the ghosts in all, hold
/// after every operation, also after those that the figure does not know.
class ARCModel: PolicyModel {
  private var t1: [Int] = []
  var t2: [Int] = []
  private var b1: [Int] = []
  private var b2: [Int] = []
  private var p = 0.0
  private let isWhole: Bool
  private let ghostShare: String

  override init(_ options: ModelOptions) {
    isWhole = options.parameters["arithmetic"] == "integer"
    ghostShare = options.parameters["ghosts"] ?? "1"
    super.init(options)
  }

  override var residents: [Int] { t1 + t2 }
  override var ghosts: [Int] { b1 + b2 }

  private var l1: Int { length(of: t1) + length(of: b1) }
  private var total: Int { l1 + length(of: t2) + length(of: b2) }
  private var directory: Int { capacity + ModelOptions.floor(ghostShare, of: capacity) }

  // Case I.
  override func hit(_ key: Int) {
    t1.take(key)
    t2.take(key)
    t2.append(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    if b1.contains(key) {
      // Case II.
      adapt(
        from: length(of: b2), by: length(of: b1) - lateness(size), direction: 1, size: size)
      guard makeRoom(for: size, isInB2: false) else { return false }
      b1.take(key)
      t2.append(key)
    } else if b2.contains(key) {
      // Case III.
      adapt(
        from: length(of: b1), by: length(of: b2) - lateness(size), direction: -1, size: size)
      guard makeRoom(for: size, isInB2: true) else { return false }
      b2.take(key)
      t2.append(key)
    } else {
      // Case IV A: L1 is full.
      while l1 + size > capacity {
        if !b1.isEmpty {
          b1.removeFirst()
        } else if mayEvict(t1[0]) {
          let victim = t1.removeFirst()
          reportEviction(of: victim)
          if breaks("a full T1's victim is not remembered") {
            b1.append(victim)
            sizes[key] = size
            t1.append(key)
            return true
          }
        } else {
          return false
        }
      }
      // Case IV B: the directory is full.
      dropGhosts { total + size > directory }
      guard makeRoom(for: size, isInB2: false) else { return false }
      t1.append(key)
    }
    sizes[key] = size
    restoreLimits()
    return true
  }

  /// By how much the ghost's list is shorter when p moves: the ghost leaves after that.
  private func lateness(_ size: Int) -> Int {
    breaks("ratios use the lengths before the ghost leaves") ? size : 0
  }

  /// p ± max(1, from/by) × size, within 0 … C; an empty object moves nothing.
  private func adapt(from numerator: Int, by denominator: Int, direction: Int, size: Int) {
    if size == 0 { return }
    let ratio = ratio(of: numerator, to: denominator)
    let least = breaks("a step is at least 1") ? 0.0 : 1
    let step = max(least, isWhole ? ratio.rounded(.down) : ratio) * Double(size)
    p = min(max(p + Double(direction) * step, 0), Double(capacity))
  }

  /// Returns true if there is room now; not if the newcomer was refused.
  private func makeRoom(for size: Int, isInB2: Bool) -> Bool {
    while used + size > capacity && !hasRefused { replace(isInB2: isInB2) }
    return !hasRefused
  }

  private func replace(isInB2: Bool) {
    let length = Double(length(of: t1))
    var fromT1 =
      !t1.isEmpty
      && (length > p
        || (isInB2 && length == p && !breaks("a request in B2 takes from T1 at p")))
    if t2.isEmpty { fromT1 = true }
    let victim = fromT1 ? t1[0] : victimOfT2()
    if !mayEvict(victim) { return }
    t1.take(victim)
    t2.take(victim)
    if fromT1 { b1.append(victim) } else { b2.append(victim) }
    reportEviction(of: victim)
  }

  /// The least recent of T2.
  func victimOfT2() -> Int { t2[0] }

  override func evict() {
    replace(isInB2: false)
    restoreLimits()
  }

  override func forget(_ key: Int) {
    t1.take(key)
    t2.take(key)
    b1.take(key)
    b2.take(key)
  }

  override func restoreLimits() {
    p = min(p, Double(capacity))
    while l1 > capacity && !b1.isEmpty { b1.removeFirst() }
    dropGhosts { total > directory }
  }

  /// The oldest ghosts of B2 go first, then those of B1.
  private func dropGhosts(while tooMany: () -> Bool) {
    while tooMany() && !(b1.isEmpty && b2.isEmpty) {
      if b2.isEmpty { b1.removeFirst() } else { b2.removeFirst() }
    }
  }
}
