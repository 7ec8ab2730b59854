/// Counts by size: exact sizes below 128, and above 64 classes for every doubling, up to 2⁵⁶.
struct SizeCounts {
  private static let exactBits = 7
  private static let bits = 56

  private static let classes = 1 << exactBits + (bits - exactBits) << (exactBits - 1)

  private var counts = [Double](repeating: 0, count: SizeCounts.classes)

  /// Counts one.
  mutating func add(at size: Int) { counts[SizeCounts.place(of: size)] += 1 }

  /// Halves every count.
  mutating func halve() {
    for place in counts.indices { counts[place] /= 2 }
  }

  /// The largest size of every class that counted something, and what was counted up to it, beginning
  /// with `start`.
  func sums(from start: Double) -> [(size: Int, sum: Double)] {
    var sum = start
    var sums: [(size: Int, sum: Double)] = []
    for (place, count) in counts.enumerated() where count > 0 {
      sum += count
      sums.append((SizeCounts.largest(at: place), sum))
    }
    return sums
  }

  private static func place(of size: Int) -> Int {
    if size < 1 << exactBits { return size }
    let size = min(size, 1 << bits - 1)
    // The bits below the highest seven are left out.
    let shift = Int.bitWidth - size.leadingZeroBitCount - exactBits
    return shift << (exactBits - 1) + size >> shift
  }

  private static func largest(at place: Int) -> Int {
    if place < 1 << exactBits { return place }
    let half = 1 << (exactBits - 1)
    let shift = place / half - 1
    return (place % half + half + 1) << shift - 1
  }
}
