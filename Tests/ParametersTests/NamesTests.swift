import Parameters
import Testing

/// The message about a name that does not exist.
@Suite struct NamesTests {
  @Test(arguments: [
    ("LRU", "did you mean lru?"), ("lirss", "did you mean lirs?"), ("sive", "did you mean sieve?"),
    ("s3fiof", "did you mean s3fifo?"), ("nope", "known are lru, lirs, sieve, s3fifo"),
    ("", "known are lru, lirs, sieve, s3fifo"), ("x", "known are lru, lirs, sieve, s3fifo"),
  ])
  func nearestNameIsSuggestedElseAllAre(name: String, remedy: String) {
    #expect(["lru", "lirs", "sieve", "s3fifo"].remedy(for: name) == remedy)
  }
}
