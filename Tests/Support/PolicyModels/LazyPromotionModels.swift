/// LP-2Q: 2Q with a CLOCK in place of Am; the oldest first.
final class LPTwoQModel: PolicyModel {
  private var a1in: [Int] = []
  private var a1out: [Int] = []
  private var am: [Int] = []
  private var counter: [Int: Int] = [:]
  private let maximum: Int
  private let inShare: String
  private let outShare: String

  override init(_ options: ModelOptions) {
    maximum = 1 << Int(options.parameters["bits"] ?? "1")! - 1
    inShare = options.parameters["kin"] ?? "0.25"
    outShare = options.parameters["ghosts"] ?? "0.5"
    super.init(options)
  }

  override var residents: [Int] { a1in + am }
  override var ghosts: [Int] { a1out }

  override func hit(_ key: Int) {
    if am.contains(key) { counter[key] = min(counter[key]! + 1, maximum) }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let isKnown = a1out.contains(key)
    a1out.take(key)
    while used + size > capacity { evict() }
    sizes[key] = size
    counter[key] = 0
    if isKnown { am.append(key) } else { a1in.append(key) }
    return true
  }

  override func evict() {
    if length(of: a1in) > ModelOptions.floor(inShare, of: capacity) || am.isEmpty {
      let victim = a1in.removeFirst()
      a1out.append(victim)
      reportEviction(of: victim)
      restoreLimits()
      return
    }
    while counter[am[0]]! > 0 {
      let passed = am.removeFirst()
      counter[passed]! -= 1
      am.append(passed)
    }
    reportEviction(of: am.removeFirst())
  }

  override func restoreLimits() {
    while length(of: a1out) > ModelOptions.floor(outShare, of: capacity) { a1out.removeFirst() }
  }

  override func forget(_ key: Int) {
    a1in.take(key)
    a1out.take(key)
    am.take(key)
  }
}

/// LP-ARC: ARC whose T2 is a CLOCK.
final class LPARCModel: ARCModel {
  private var counter: [Int: Int] = [:]
  private let maximum: Int

  override init(_ options: ModelOptions) {
    maximum = 1 << Int(options.parameters["bits"] ?? "1")! - 1
    super.init(options)
  }

  override func hit(_ key: Int) {
    if t2.contains(key) {
      counter[key] = min(counter[key]! + 1, maximum)
    } else {
      super.hit(key)
      counter[key] = 0
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    counter[key] = 0
    return super.miss(key, size: size)
  }

  override func victimOfT2() -> Int {
    while counter[t2[0]]! > 0 {
      let passed = t2.removeFirst()
      counter[passed]! -= 1
      t2.append(passed)
    }
    return t2[0]
  }
}
