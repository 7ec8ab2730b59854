/// Numbers accesses so that a later one has the higher number, in this process and after it.
///
/// A number is the time in nanoseconds, or one more than the last if the clock stands or went back: accesses
/// of several processes are in the order of time, and those of one never tie.
struct AccessClock {
  private(set) var last: Int64 = 0

  mutating func next(_ now: Int64) -> Int64 {
    last = max(last &+ 1, now)
    return last
  }

  /// Learns of a number that was given out earlier.
  mutating func observe(_ number: Int64) { last = max(last, number) }
}
