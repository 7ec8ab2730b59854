/// CAR as in Figure 2 of the FAST 2004 paper; in each list the oldest first.
///
/// |T1| + |B1| ≤ C and C plus the ghosts in all hold after every operation, also after those that the
/// figure does not know; where objects have sizes, each step is repeated until its limit holds.
final class CARModel: PolicyModel {
  private var t1: [Int] = []
  private var t2: [Int] = []
  private var b1: [Int] = []
  private var b2: [Int] = []
  private var referenced: Set<Int> = []
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

  override func hit(_ key: Int) { referenced.insert(key) }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { replace() }
    if b1.contains(key) {
      p = min(p + step(from: length(of: b2), by: length(of: b1), size: size), Double(capacity))
      b1.take(key)
      t2.append(key)
    } else if b2.contains(key) {
      p = max(p - step(from: length(of: b1), by: length(of: b2), size: size), 0)
      b2.take(key)
      t2.append(key)
    } else {
      drop(newcomer: size)
      t1.append(key)
    }
    sizes[key] = size
    drop(newcomer: 0)
    return true
  }

  /// max(1, from/by) × size; an empty object moves nothing.
  private func step(from numerator: Int, by denominator: Int, size: Int) -> Double {
    if size == 0 { return 0 }
    let ratio = ratio(of: numerator, to: denominator)
    return max(1, isWhole ? ratio.rounded(.down) : ratio) * Double(size)
  }

  private func replace() {
    while true {
      var looksAtT1 = Double(length(of: t1)) >= max(1, p)
      if t1.isEmpty { looksAtT1 = false }
      if t2.isEmpty { looksAtT1 = true }
      let head = looksAtT1 ? t1.removeFirst() : t2.removeFirst()
      if referenced.remove(head) != nil {
        t2.append(head)
        continue
      }
      if looksAtT1 { b1.append(head) } else { b2.append(head) }
      reportEviction(of: head)
      return
    }
  }

  override func evict() {
    replace()
    drop(newcomer: 0)
  }

  override func forget(_ key: Int) {
    t1.take(key)
    t2.take(key)
    b1.take(key)
    b2.take(key)
    referenced.remove(key)
  }

  override func restoreLimits() {
    p = min(p, Double(capacity))
    drop(newcomer: 0)
  }

  /// Forgets ghosts until an unknown object of that size could enter T1.
  private func drop(newcomer size: Int) {
    let directory = capacity + ModelOptions.floor(ghostShare, of: capacity)
    while length(of: t1 + b1) + size > capacity && !b1.isEmpty { b1.removeFirst() }
    while length(of: t1 + t2 + b1 + b2) + size > directory && !ghosts.isEmpty {
      if b2.isEmpty { b1.removeFirst() } else { b2.removeFirst() }
    }
  }
}
