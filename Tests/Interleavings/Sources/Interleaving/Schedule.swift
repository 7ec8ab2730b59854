/// The choice of the thread that goes on, which a seed decides.
///
/// Half of the seeds choose uniformly at every point. The others have priorities, which fall at a few points: a fault
/// that needs d of its steps in a certain order, among n threads and k points, is found by one such schedule in
/// n·kᵈ⁻¹.
///
/// - Paper: S. Burckhardt, P. Kothari, M. Musuvathi, and S. Nagarakatte, “A randomized scheduler with probabilistic
///   guarantees of finding bugs”, ASPLOS 2010.
struct Schedule {
  private(set) var random: Random
  private let hasPriorities: Bool
  /// The points at which the thread that runs falls behind all others, latest first.
  private var changes: [Int] = []
  private var lowest = 0
  private var latest = -1
  private var repeated = 0

  init(seed: UInt64) {
    random = Random(state: seed)
    hasPriorities = random.below(2) == 1
    guard hasPriorities else { return }
    // How long a run will be is not known: it may have 16 points or thousands.
    let length = 16 << random.below(8)
    for _ in 0..<random.below(5) { changes.append(random.below(length)) }
    changes.sort(by: >)
  }

  /// A new thread's priority: any place among the others.
  mutating func priority() -> Int { 1 + random.below(1 << 30) }

  /// The strand that goes on at this point, among those that can; `own` stands at it.
  mutating func next(_ ready: [Strand], at point: Int, own: Strand?) -> Strand {
    if hasPriorities {
      if let own {
        // Who asks again and again, or for long, is not to keep the others from running for ever.
        repeated = own.number == latest ? repeated + 1 : 0
        latest = own.number
        while let change = changes.last, change <= point {
          changes.removeLast()
          lower(own)
        }
        if own.hasYielded || repeated > 200 { lower(own) }
      }
      own?.hasYielded = false
      return ready.max { $0.priority < $1.priority }!
    }
    let eager = ready.filter { !$0.hasYielded }
    own?.hasYielded = false
    let chosen = eager.isEmpty ? ready : eager
    return chosen[random.below(chosen.count)]
  }

  private mutating func lower(_ strand: Strand) {
    lowest -= 1
    strand.priority = lowest
    repeated = 0
  }

  /// A draw for others than the schedule.
  mutating func draw(below bound: Int) -> Int { random.below(bound) }
}

/// SplitMix64, by which a seed means the same everywhere.
struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
