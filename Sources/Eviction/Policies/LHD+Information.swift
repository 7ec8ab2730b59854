import Parameters

extension LHD {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lhd", summary: "least hit density: fewest hits expected per space and time, of a sample",
    paper: "N. Beckmann, H. Chen and A. Cidon, “LHD: improving cache hit rate by maximizing hit "
      + "density”, NSDI 2018.",
    idea:
      "An object costs its size times the time until its next request or its eviction. From how "
      + "old objects of its class were when they were hit or evicted follows how many hits an "
      + "object of a given age still promises for that cost. Nothing is assumed of the workload; "
      + "the distributions are measured.",
    hit: "A hit is counted for the object's class and age (the requests since its last one). Its "
      + "new class follows from the sum of this age and that of its hit before: 15 for a sum of 0, "
      + "and one less for each doubling. One request in 32, drawn at random, makes it an "
      + "explorer, whose density counts one more, as long as the explorers' budget lasts.",
    miss:
      "Room is made, and the object enters class 0; it may be an explorer. If it is not drawn as "
      + "one and its density is below the victims' moving average, it replaces the oldest of 8 "
      + "doubtful newcomers.",
    eviction: "Positions in the array of residents are drawn with repetition from SplitMix64 "
      + "seeded by the run, 8 in the first 51 intervals and sample afterwards, then come the "
      + "doubtful newcomers; the lowest hit density / size leaves, of equals the one looked at "
      + "first, and is counted for its class and age. An empty object counts one size unit. The last "
      + "age's density is the lowest of all. The last resident takes the victim's place in the array.",
    complexity:
      "O(1) per hit, O(sample) per eviction, and O(16 × ages) once per interval; 192 bytes "
      + "per age beside the bytes per slot.",
    differences:
      "As the authors' code in libCacheSim (LHD/lhd.cpp, commit 0f00a9c40), with its constants: "
      + "every interval all counts are multiplied by "
      + "0.9, and densities are computed from them in single precision; after 5 and 25 intervals "
      + "the ages are scaled to the number of objects; exploring ends after 50. Until the first "
      + "interval is over the density is (class + 1) / (age + 1): the whole of a run shorter than"
      + " that, for which a smaller interval should be given. There are no applications, by which"
      + " the authors classify too (libCacheSim 0.3.5 counts all as number 1, so "
      + "that its first densities grow from 17 to 32, not from 1 to 16). When ages are added up, "
      + "the last one keeps its counts; the authors' code also adds it to the one before the gap."
      + " An object that is removed or leaves is no doubtful newcomer any more, and gives its "
      + "explorer's budget back; in the authors' code a removal does not. Draws: on a miss those "
      + "of the evictions, then, as on a hit, the one for exploring.",
    parameters: [
      Parameter(
        "sample", .integer(in: 1...1_000_000), default: .integer(32),
        help: "residents drawn at each eviction"),
      Parameter(
        "interval", .integer(in: 8...1_000_000_000), default: .integer(1 << 20),
        time: .requests,
        help: "requests after which the densities are computed anew"),
      Parameter(
        "ages", .integer(in: 4...65_535), default: .integer(20_000),
        help: "how many ages are told apart"),
      Parameter(
        "age", .integer(in: 1...1 << 40), default: .integer(1 << 10), time: .requests,
        help: "requests that an age lasts at first, rounded down to a power of two"),
      Parameter(
        "explorers", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 100)),
        help: "share of the capacity that objects kept for exploration may take"),
    ],
    bytesPerSlot: 20, learningInterval: { $0.integer("interval") })
}
