/// 2Q, full version: A1in, A1out (ghosts) and Am; the oldest or least recent first. The simplified
/// version has no A1out, and a hit in A1 (here A1in) moves to Am.
final class TwoQModel: PolicyModel {
  private var a1in: [Int] = []
  private var a1out: [Int] = []
  private var am: [Int] = []
  private let isSimple: Bool
  private let inShare: String
  private let outShare: String

  override init(_ options: ModelOptions) {
    isSimple = options.parameters["version"] == "simple"
    inShare = options.parameters["kin"] ?? "0.25"
    outShare = options.parameters["kout"] ?? options.parameters["ghosts"] ?? "0.5"
    super.init(options)
  }

  override var residents: [Int] { a1in + am }
  override var ghosts: [Int] { a1out }

  override func hit(_ key: Int) {
    if a1in.contains(key) && breaks("a hit in A1in changes nothing") {
      a1in.take(key)
      a1in.append(key)
    }
    if breaks("a hit in Am moves") { return }
    if am.contains(key) || isSimple {
      forget(key)
      am.append(key)
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    var isKnown = a1out.contains(key)
    if !breaks("a ghost leaves before room is made") { a1out.take(key) }
    while used + size > capacity { evict() }
    if breaks("a ghost leaves before room is made") {
      isKnown = a1out.contains(key)
      a1out.take(key)
    }
    sizes[key] = size
    if isKnown { am.append(key) } else { a1in.append(key) }
    return true
  }

  override func evict() {
    let least = breaks("A1in holds Kin") ? 1 : 0
    if length(of: a1in) + least > ModelOptions.floor(inShare, of: capacity) || am.isEmpty {
      let victim = a1in.removeFirst()
      if !isSimple { a1out.append(victim) }
      reportEviction(of: victim)
      restoreLimits()
    } else {
      let victim = am.removeFirst()
      if breaks("Am's victims are not remembered") { a1out.append(victim) }
      reportEviction(of: victim)
      restoreLimits()
    }
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
