#if Learned
  import EvictionCore
  import Parameters

  extension GLCache {
    /// The catalog's entry.
    public static let information = PolicyInformation(
      name: "gl-cache",
      summary: "segments of objects, of which those with the least predicted utility are merged",
      paper:
        "J. Yang, Z. Mao, Y. Yue and K. V. Rashmi, “GL-Cache: group-level learning for efficient "
        + "and high-performance caching”, FAST 2023; the authors' code in 1a1a11a/libCacheSim, "
        + "libCacheSim/cache/eviction/GLCache, commit fe11f94.",
      idea:
        "To predict each object costs too much, and one object tells too little. Objects that came "
        + "together are alike, so a model learns the utility of groups of them: a group has more "
        + "requests to learn from, and one prediction evicts many objects.",
      hit: "Counted for the object's segment, with the object if it is its first hit there. In a "
        + "segment of the snapshot, the request adds to the label.",
      miss:
        "The object enters the newest segment; a full one is followed by another. Once `retrain` "
        + "requests have passed since the snapshot, XGBoost trains 20 trees on it (squared error, depth "
        + "6, rate 0.3), and another is taken: of all segments but the newest, 8,192 at most, with five "
        + "features: age, mean size, hits, objects hit, and the miss ratio when the segment was full.",
      eviction:
        "The segments are ranked by the predicted utility over their size, of equals the older "
        + "first, anew once `rank` of them were passed. The first, with the next in the order of time, "
        + "none of them the newest, is merged into one segment, which keeps of their objects one "
        + "in `merge`, those of the highest 1/(size × requests since the last). Where none of the first four fifths has "
        + "such neighbours, the first is emptied. Before the first training, segments are merged in "
        + "the order of time.",
      ghosts:
        "Evicted objects of the snapshot's segments, until they are requested or the model is "
        + "trained. Their first request counts for the label.",
      complexity:
        "O(1) per hit; a miss is O(log objects) amortised, with a prediction for each `rank` "
        + "of a segment's objects that leave; a training takes time in proportion to the slots and to "
        + "the rows. About 200 bytes per segment beside the slots.",
      differences:
        "The label follows the code: from the snapshot on, the sum of 1/(requests since × size), "
        + "scaled to between 0 and 1. In a segment's first snapshot the first requests do not "
        + "count, as many as objects would be kept of it. When the segment is gone, the sum begins anew; the paper "
        + "has one sum. Time is the number of requests: in the code "
        + "ages are in seconds, the rate of requests is a sixth feature, a day of the trace passes "
        + "between trainings, and a tenth of the rows decides when to stop early. A "
        + "segment has 100 objects there whatever the capacity; here it has fewer in a cache that would not "
        + "fill `segments` of them. Training begins at the first miss that is due. Only neighbours are merged; "
        + "libcachesim 0.3.5 for Python takes its own default, True, for false, and merges neighbours in rank. "
        + "There are no pinned objects, as a merge moves all that it keeps. "
        + "Windows of requests, which the paper has among the features, are off in the code, and left out here.",
      parameters: [
        Parameter(
          "objects", .integer(in: 1...10_000), default: .integer(100),
          help: "most objects of a segment"),
        Parameter(
          "segments", .integer(in: 1...10_000), default: .integer(50),
          help: "fewest segments of a full cache, by the mean size of its objects"),
        Parameter(
          "merge", .integer(in: 2...100), default: .integer(2),
          help: "segments that are merged into one"),
        Parameter(
          "rank", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(2, 100)),
          help: "share of the ranked segments that are passed before all are ranked anew"),
        Parameter(
          "retrain", .integer(in: 1_000...1_000_000_000), default: .integer(100_000),
          help: "requests between trainings"),
      ],
      bytesPerSlot: 32, learningInterval: { $0.integer("retrain") })
  }
#endif
