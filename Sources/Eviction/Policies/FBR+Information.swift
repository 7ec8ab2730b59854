import Parameters

extension FBR {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "fbr", summary: "frequency-based replacement: LRU, but the old section evicts by counts",
    paper: "J. T. Robinson and M. V. Devarakonda, “Data cache management using frequency-based "
      + "replacement”, SIGMETRICS 1990.",
    idea: "Counting every request of a burst makes short-lived objects look frequent. FBR keeps an "
      + "LRU stack of three sections: in the new section requests do not count; from the old "
      + "section the lowest count leaves; the middle one gives counts time to grow.",
    hit: "The object moves to the top of the stack. Unless it was in the new section, its count "
      + "grows by 1.",
    miss: "Room is made, and the object enters on top of the stack with count 1.",
    eviction: "The lowest count of the old section, the least recently used among equals. Counts "
      + "above Cmax are not told apart. If the old section is empty, the least recently used "
      + "object.",
    complexity: "O(1) per request; halving the counts is O(C), and as rare as Amax × C counted "
      + "requests.",
    differences: "When the average count exceeds Amax, every count is halved, rounding up, as in "
      + "the paper. A section hands its least recent object down when it overflows, and takes "
      + "nothing back when a removal leaves it short. The old section has at least one object. "
      + "The paper tunes the sections and both limits for each workload, and published figures "
      + "come from such choices; the defaults are this project's.",
    parameters: [
      Parameter(
        "new", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(25, 100)),
        help: "share of the capacity in which requests do not count"),
      Parameter(
        "old", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(5, 10)),
        help: "share of the capacity from which the lowest count leaves"),
      Parameter(
        "cmax", .integer(in: 1...62), default: .integer(62),
        help: "counts above it are not told apart"),
      Parameter(
        "amax", .integer(in: 1...1_000_000_000), default: .integer(100),
        help: "the average count that makes all counts halve"),
    ],
    bytesPerSlot: 24, miniatureError: 0)
}
