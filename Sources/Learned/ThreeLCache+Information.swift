#if Learned
  import EvictionCore
  import Parameters

  extension ThreeLCache {
    /// The catalog's entry.
    public static let information = PolicyInformation(
      name: "3l-cache",
      summary: "farthest predicted next request, of candidates that two scans pick",
      paper:
        "W. Zhou, Z. Niu, Y. Xiong, J. Fang and Q. Wang, “3L-Cache: low overhead and precise "
        + "learning-based eviction policy for caches”, FAST 2025.",
      idea:
        "Belady's MIN evicts the object whose next request is farthest. Trees learn that distance "
        + "from the intervals between an object's requests. Most of the cost of earlier policies of "
        + "this kind is prediction, as each eviction samples residents at random. Here candidates "
        + "are picked where victims are: among the least recent, the rarely requested and the "
        + "newcomers; half of each batch is evicted, and the predictions of the rest are used again.",
      hit:
        "The object moves to the most recent end of the list and is no candidate any more. If it was "
        + "sampled, the distance since then becomes a row of the next training.",
      miss:
        "As a hit, if the object is a ghost. Room is made, and the object enters at the most recent "
        + "end, and among the newcomers. At each request, hit or miss, one resident or ghost drawn at "
        + "random is sampled.",
      eviction:
        "The candidate of the farthest predicted request, of equals the least recent. If none is due, "
        + "candidates are picked: the oldest newcomers while these take more than a part of the "
        + "cache; and of the list, from where its scan ended, all of the least recent part, and beyond "
        + "it those of low frequency. Both parts and the frequency follow from the candidates that a "
        + "round evicted. Until the first training the least recent leaves.",
      ghosts:
        "1 to 5 times as many as residents, first in, first out: more if many misses find ghosts. A "
        + "sampled ghost that is forgotten counts as one whose next request is far.",
      complexity:
        "O(1) per request, O(log candidates) per eviction, and a prediction of two residents; a "
        + "training every 4 × batch requests or so.",
      differences:
        "As the authors' code in libCacheSim (commit 1a977b8), with its numbers but two, which suit "
        + "traces of many millions of requests: batches of 65,536 rows, and a window that may become "
        + "wider after 10⁶ requests, here 4,096 and 16 × batch. The trees are XGBoost's, there "
        + "LightGBM's; a missing interval is missing, there 0. "
        + "The first scan begins at the least recent, there anywhere. A newcomer that is evicted "
        + "leaves the newcomers at once, and a ghost that enters again the ghosts, there when its turn "
        + "comes. Parts of the cache are at most all of it, there they overflow. Time is the number of requests. It needs many requests before it learns: with "
        + "fewer than batch rows it is LRU.",
      parameters: [
        Parameter(
          "objective", .choice(["bytes", "objects"]), default: .text("bytes"),
          help: "objects: the predicted distance is multiplied by the size"),
        Parameter(
          "batch", .integer(in: 64...4_194_304), default: .integer(4096), time: .requests,
          help: "rows of a training"),
        Parameter(
          "sample", .integer(in: 1...65_536), default: .integer(1024),
          help: "candidates picked from the list at a time, at most 1 % of the residents and 2"),
        Parameter(
          "window", .integer(in: 2...64), default: .integer(6),
          help: "residents and ghosts at most, as a multiple of the residents"),
      ],
      bytesPerSlot: 74,
      learningInterval: { $0.integer("batch") },
      holdsInMiniature: { _ in false })
  }
#endif
