import Parameters

extension WindowTinyLFU {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "wtinylfu", summary: "window TinyLFU: a frequency sketch decides who stays",
    paper: "G. Einziger, R. Friedman and B. Manes, “TinyLFU: a highly efficient cache "
      + "admission policy”, ACM Transactions on Storage 13(4), 2017; climb=true: G. Einziger, O. "
      + "Eytan, R. Friedman and B. Manes, “Adaptive software cache management”, Middleware 2018; "
      + "victims: the same, “Lightweight robust size aware cache management”, ACM Transactions on "
      + "Storage 18(3), 2022; density=true: Caffeine, commit ccef95542.",
    idea: "A sketch of four-bit counters remembers how often keys were requested lately, "
      + "residents or not, in a few bytes per object. An object that leaves the window may "
      + "replace the main cache's victim only if it was requested more often. The window "
      + "gives new objects the time to be requested again.",
    hit: "The key is counted. In the window and in the protected segment the object moves to the "
      + "most recent end; a probationary one becomes the most recent of protected, whose "
      + "overflow goes to the most recent end of probationary (if it is larger than that "
      + "segment's quota, it only becomes the most recent of probationary). With windowProtected "
      + "the window has a probationary and a protected segment, too, of which the same holds. "
      + "With main=s4lru the object moves one segment up, and overflow cascades down; with "
      + "main=random nothing moves.",
    miss:
      "The key is counted, room is made, and the object enters the window, whose overflow goes to "
      + "the most recent end of probationary. An object larger than the window's quota is "
      + "itself the candidate: each victim must be less frequent than it, or it is "
      + "refused; it enters probationary. With feedback=gain a miss counts as often further as the "
      + "gain says; with feedback=window a hit of a protected object counts twice.",
    eviction: "If the newcomer makes the window overflow, the window's least recent object is the "
      + "candidate and the main cache's least recent (of probationary; of protected, if that "
      + "is empty) the victim: the candidate leaves unless it is more frequent, in "
      + "which case the victim leaves and the candidate becomes the most recent of probationary. "
      + "If the window does not overflow, the victim leaves. Trimming counts as a newcomer of "
      + "size 1. The other values of victims give the main cache what the window's quota leaves. "
      + "What the newcomer pushes out of the window, the last first, must then fit there; a "
      + "newcomer larger than the window does so itself. If it does not fit, it must be more "
      + "frequent than the first victim (implicit), than each until it fits (queue: those it beats "
      + "are gone), or than all of them together (aggregated); else it leaves. main=s4lru has four "
      + "segments, the upper three a quarter each, and evicts from the lowest that is not empty; "
      + "main=random draws the candidate from the window and the victim from the main cache. With "
      + "feedback a Bloom filter remembers who lost in the last half of a period of min(C, 1 024) "
      + "requests (gain: 256). A candidate that loses again stays in the victim's place, unless "
      + "this period has changed something already: the window grows by 8, to at most 256 more, and "
      + "takes it back, or the gain by 1, to at most 5. Where the last period, and as many before "
      + "as the gain is, changed nothing, another loser lets the window shrink by 4, the gain by 1.",
    ghosts: "None by key. The sketch's counts outlive evictions and removals, as they cannot "
      + "be told apart.",
    complexity:
      "O(1) amortised: after every sample of sample × C requests all counters are halved. "
      + "Of the bytes per slot the sketch takes 8 per resident, rounded up to a power "
      + "of two, and the doorkeeper one byte per request of the sample; main=random takes 16 more, "
      + "and climber=indicator some 100 kB in all.",
    differences:
      "The window has C − ⌊(1 − window) C⌋, so at least 1 unless window=0. Nothing is random: "
      + "no candidate wins by chance, as some implementations let one in many do, against attacks"
      + " on the hash. The sketch has the counters of the residents. With sizes, each newcomer "
      + "larger than the window competes with each victim. A window that shrinks moves objects to the "
      + "most recent end of probationary. A new capacity starts the climb over. "
      + "climb=true is the climber of the paper of 2018; density=true the one that replaced it in "
      + "Caffeine, file WindowClimber.java at commit ccef95542, which begins to sample when it is half full, moves at "
      + "most 1 000 entries at once, and gives back quota that no entry fills; here samples begin "
      + "with the first eviction, and the window moves at once. The forms of victims are those of "
      + "the authors' simulator (ohadeytan/caffeine, commits f1616a9, 29bec17, 4b07169): strictly "
      + "more frequent, and victims that stay are not moved. windowProtected=0.8 is "
      + "FullySegmentedWindowTinyLfu of Caffeine's simulator (commit 0263e986b), protected=0 its "
      + "LruWindowTinyLfu, main=s4lru its S4WindowTinyLfu, main=random its RandomWindowTinyLfu, which may "
      + "also draw the newcomer as candidate, and the candidate as its own victim; feedback=window its "
      + "FeedbackWindowTinyLfu (commit e2dd997c), window=0:protected=0:feedback=gain its FeedbackTinyLfu "
      + "(commit ecd5e13e). Other values of climber are those of its HillClimberWindowTinyLfu with the "
      + "parameters of its reference.conf (commit 404f3c5): correlation (ad87645f), trust-region-ewma "
      + "(26d79b00), stochastic-gradient-descent, adam, nadam, amsgrad (0499355). Gradients take samples "
      + "of a two-hundredth of the sketch's sample. climber=indicator is that of Indicator.java and "
      + "IndicatorClimber.java (0499355): after each period the window becomes h (1 − s³) / 15 × 80 % of the "
      + "capacity, none if s ≥ 1, but not more than the protected segment can give, and at least 1. h is "
      + "the mean of the frequencies that the requested keys had in a second sketch, the one of this policy "
      + "for 5 000 residents; s is the negative slope of ln frequency over ln rank of the 70 most frequent keys "
      + "of a Space-Saving summary of 1 000 counters, which each period begins anew. There a library decides which counter "
      + "of equals is replaced, here it is the one least recently raised; there the window moves by the rounded "
      + "difference of two shares. The simulator also lets candidates win by chance "
      + "(jitter) unless told not to.",
    parameters: [
      Parameter(
        "window", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 100)),
        help: "share of the capacity that the window has, or begins with"),
      Parameter(
        "protected", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(8, 10)),
        help: "share of the main cache that the protected segment may take"),
      Parameter(
        "sample", .integer(in: 1...1_000_000), default: .integer(10),
        help: "frequencies are halved after this many requests per resident"),
      Parameter(
        "doorkeeper", .flag, default: .flag(false),
        help: "a Bloom filter takes the first request of each key"),
      Parameter(
        "conservative", .flag, default: .flag(false),
        help: "only the smallest of a key's counters grow"),
      Parameter(
        "climb", .flag, default: .flag(false),
        help: "the window's size follows the hit ratio"),
      Parameter(
        "climber", .choice(WTinyLFU.Climber.allCases.map(\.rawValue)), default: .text("simple"),
        help: "how a change of the hit ratio moves the window of climb=true"),
      Parameter(
        "period", .integer(in: 1...1_000_000_000), default: .integer(50_000),
        help: "requests after which climber=indicator sets the window"),
      Parameter(
        "step", .fraction(in: Fraction(1, 1_000)...Fraction(5, 10)),
        default: .fraction(Fraction(625, 10_000)),
        help:
          "the climb's first step, as a share of the capacity; each further one is 2 % smaller, "
          + "and they start over when the hit ratio changes by 5 points; sgd, adam, nadam and amsgrad "
          + "multiply by it, and have 0.005 unless it is given"),
      Parameter(
        "density", .flag, default: .flag(false),
        help: "the window's size follows the hits per unit of capacity, inside it and outside"),
      Parameter(
        "dense", .integer(in: 0...1_000_000_000), default: .integer(4_096),
        help: "the largest capacity at which density=true follows the hit ratio instead"),
      Parameter(
        "victims", .choice(WTinyLFU.Victims.allCases.map(\.rawValue)),
        default: .text("caffeine"),
        help: "the objects that a candidate which needs the room of several is compared with"),
      Parameter(
        "windowProtected", .fraction(in: Fraction(0)...Fraction(1)),
        default: .fraction(Fraction(0)),
        help: "share of the window that a protected segment of its own may take; 0: one LRU list"),
      Parameter(
        "main", .choice(WTinyLFU.Main.allCases.map(\.rawValue)), default: .text("slru"),
        help: "the main cache; random: it and the window evict at random"),
      Parameter(
        "feedback", .choice(WTinyLFU.Feedback.allCases.map(\.rawValue)), default: .text("off"),
        help: "what grows when candidates are refused twice: the window, or what a miss counts"),
    ],
    bytesPerSlot: 33, miniatureError: 0.015,
    variants: ["wtinylfu:climb=true", "wtinylfu:density=true"],
    // Small caches follow another signal, or periods of as many requests.
    holdsInMiniature: {
      !$0.flag("density") && $0.text("feedback") == "off" && $0.text("climber") != "indicator"
    },
    mayRefuse: { _ in true })
}

extension CachePolicy {
  /// `WTinyLFU`, window TinyLFU: a frequency sketch decides who stays.
  ///
  /// - Parameters:
  ///   - window: Share of the capacity that the window has, or begins with.
  ///   - protected: Share of the main cache that the protected segment may take.
  ///   - sample: Frequencies are halved after this many requests per resident.
  ///   - doorkeeper: A Bloom filter takes the first request of each key.
  ///   - conservative: Only the smallest of a key's counters grow.
  ///   - climb: The window's size follows the hit ratio.
  ///   - climber: The climber that a change of the hit ratio drives.
  ///   - period: Requests after which the climber `indicator` sets the window.
  ///   - step: The climb's first step, as a share of the capacity; each further one is 2 % smaller, and they
  ///     start over when the hit ratio changes by 5 points.
  ///   - density: The window's size follows the hits per unit of capacity, inside it and outside.
  ///   - dense: The largest capacity at which `density` follows the hit ratio instead.
  ///   - victims: The objects that a candidate which needs the room of several is compared with.
  ///   - windowProtected: Share of the window that a protected segment of its own may take; 0 for one LRU list.
  ///   - main: The main cache.
  ///   - feedback: The number that grows when candidates are refused twice.
  public static func wTinyLFU(
    window: Fraction? = nil, protected: Fraction? = nil, sample: Int? = nil,
    doorkeeper: Bool? = nil, conservative: Bool? = nil, climb: Bool? = nil,
    climber: WTinyLFU.Climber? = nil, period: Int? = nil, step: Fraction? = nil,
    density: Bool? = nil,
    dense: Int? = nil, victims: WTinyLFU.Victims? = nil, windowProtected: Fraction? = nil,
    main: WTinyLFU.Main? = nil, feedback: WTinyLFU.Feedback? = nil
  ) -> CachePolicy {
    CachePolicy(
      WTinyLFU.self,
      parameters: [
        "window": window, "protected": protected, "sample": sample, "doorkeeper": doorkeeper,
        "conservative": conservative, "climb": climb, "climber": climber?.rawValue,
        "period": period, "step": step, "density": density, "dense": dense,
        "victims": victims?.rawValue,
        "windowProtected": windowProtected, "main": main?.rawValue,
        "feedback": feedback?.rawValue,
      ])
  }
}
