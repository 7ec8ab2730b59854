/// CART as in Figure 3 of the FAST 2004 paper; in each list the oldest first.
///
/// The ghosts are bounded after every operation; where objects have sizes, each step is repeated until
/// its limit holds, and q moves by the size of the object that moves it.
final class CARTModel: PolicyModel {
  private var t1: [Int] = []
  private var t2: [Int] = []
  private var b1: [Int] = []
  private var b2: [Int] = []
  private var referenced: Set<Int> = []
  private var long: Set<Int> = []  // residents of T1 whose filter bit is L
  private var p = 0.0
  private var q = 0
  private let isWhole: Bool
  private let ghostShare: String

  override init(_ options: ModelOptions) {
    isWhole = options.parameters["arithmetic"] == "integer"
    ghostShare = options.parameters["ghosts"] ?? "1"
    super.init(options)
  }

  override var residents: [Int] { t1 + t2 }
  override var ghosts: [Int] { b1 + b2 }

  private var shortTerm: Int { length(of: t1.filter { !long.contains($0) }) }
  private var longTerm: Int { length(of: t1.filter { long.contains($0) } + t2) }

  override func hit(_ key: Int) { referenced.insert(key) }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { replace() }
    if b1.contains(key) {
      p = min(p + step(from: shortTerm, by: length(of: b1), size: size), Double(capacity))
      b1.take(key)
      enter(key, size: size, isLong: true)
    } else if b2.contains(key) {
      p = max(p - step(from: longTerm, by: length(of: b2), size: size), 0)
      b2.take(key)
      enter(key, size: size, isLong: true)
      raiseQ(by: size)
    } else {
      enter(key, size: size, isLong: false)
    }
    dropGhosts()
    return true
  }

  private func enter(_ key: Int, size: Int, isLong: Bool) {
    sizes[key] = size
    t1.append(key)
    if isLong { long.insert(key) }
  }

  /// max(1, from/by) × size; an empty object moves nothing.
  private func step(from numerator: Int, by denominator: Int, size: Int) -> Double {
    if size == 0 { return 0 }
    let ratio = ratio(of: numerator, to: denominator)
    return max(1, isWhole ? ratio.rounded(.down) : ratio) * Double(size)
  }

  private func raiseQ(by size: Int) {
    if length(of: t2 + b2 + t1) - shortTerm >= capacity {
      q = min(q + size, 2 * capacity - length(of: t1))
    }
  }

  private func replace() {
    while let head = t2.first, referenced.contains(head) {
      referenced.remove(head)
      t2.removeFirst()
      t1.append(head)
      long.insert(head)
      raiseQ(by: sizes[head]!)
    }
    while let head = t1.first, long.contains(head) || referenced.contains(head) {
      t1.removeFirst()
      if referenced.remove(head) != nil {
        t1.append(head)
        if Double(length(of: t1)) >= min(p + 1, Double(length(of: b1))) { long.insert(head) }
      } else {
        long.remove(head)
        t2.append(head)
        q = max(q - sizes[head]!, capacity - length(of: t1))
      }
    }
    if !t1.isEmpty && (t2.isEmpty || Double(length(of: t1)) >= max(1, p)) {
      b1.append(t1.removeFirst())
      reportEviction(of: b1.last!)
    } else {
      b2.append(t2.removeFirst())
      reportEviction(of: b2.last!)
    }
  }

  override func evict() {
    replace()
    dropGhosts()
  }

  override func forget(_ key: Int) {
    t1.take(key)
    t2.take(key)
    b1.take(key)
    b2.take(key)
    referenced.remove(key)
    long.remove(key)
  }

  override func restoreLimits() {
    p = min(p, Double(capacity))
    q = min(q, 2 * capacity)
    dropGhosts()
  }

  private func dropGhosts() {
    while length(of: ghosts) > ModelOptions.floor(ghostShare, of: capacity) {
      if b2.isEmpty || (!b1.isEmpty && length(of: b1) > max(0, q)) {
        b1.removeFirst()
      } else {
        b2.removeFirst()
      }
    }
  }
}
