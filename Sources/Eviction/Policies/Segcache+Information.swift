import Parameters

extension Segcache {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "segcache",
    summary: "segments by time to live, which expire whole and are evicted by merging",
    paper: "J. Yang, Y. Yue and K. V. Rashmi, “Segcache: a memory-efficient and scalable in-memory "
      + "key-value cache for small objects”, NSDI 2021; the code in Thesys-lab/Segcache, "
      + "src/storage/seg, commit 44c4f0b.",
    idea:
      "Objects that were written at about the same time with about the same time to live also expire "
      + "together. In a log of segments for each time to live, expiry is a look at the oldest segment, "
      + "and one pass over a few neighbours keeps what is requested most.",
    hit: "The object's counter goes up by 1, to 127 at most.",
    miss:
      "Segments whose time is over are emptied. The object is written into the newest segment of the "
      + "bucket of its time to live, with counter 0; if it does not fit, a free segment becomes the "
      + "newest; if none is free, one is freed. What is larger than a segment, or has expired on "
      + "arrival, is refused.",
    eviction:
      "In the bucket that was merged last, from where that ended, or else in the next with four "
      + "segments: up to eight, but not the newest, are merged into the first of them, oldest object "
      + "first, until that is 90 % full. Of each, about a quarter shall stay: what has "
      + "more hits, divided by its size over the mean size, than a cutoff, which begins at 1 "
      + "and follows the part that stayed. What stays has no hits then. Where no bucket has four "
      + "segments, or merging frees none, the segment opened first is emptied.",
    complexity:
      "O(1) per hit; a miss is O(1) amortised, and looks at the buckets in use when the clock has "
      + "moved on by a unit. About 48 bytes per segment, and 24 KiB for the buckets.",
    differences:
      "The authors' counter goes up at most once a second, and above 16 by chance. There a "
      + "segment also stays if it is young, or expires within 20 seconds; the first bucket "
      + "to merge is drawn; one segment in reserve takes what a merge keeps; and a segment is "
      + "emptied only when it is ten times older than those that were evicted. The segments of what never "
      + "expires have a bucket of their own here. A hit that gives its object a new expiry does "
      + "not move it: a write there appends the object anew. Segments without objects are free at once. "
      + "As there, the capacity that segments leave empty is lost. There a look-up finds nothing in a segment whose "
      + "time is over; here its objects are hits until a miss empties it, or a run with --expire, or a cache, "
      + "removes them.",
    parameters: [
      Parameter(
        "segments", .integer(in: 1...10_000), default: .integer(100),
        help: "segments that the capacity is divided into, of at least one unit"),
      Parameter(
        "resolution", .integer(in: 1...1_000_000_000_000), default: .integer(1_000_000_000),
        help: "nanoseconds of the unit in which times to live are told apart"),
    ],
    bytesPerSlot: 11, hitsReorder: false, mayRefuse: { _ in true })
}
