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

  @Test(arguments: ["lruk", "LRUK", "lru-2", "lru_k"])
  func punctuationTellsNamesApartThatAreEquallyNear(name: String) {
    #expect(["lru", "lfu", "lru-k", "fifo"].remedy(for: name) == "did you mean lru-k?")
  }

  /// A word that people know a member by is as good as its name.
  @Test(arguments: [
    ("nginx", "did you mean access-log or json?"), ("Apache", "did you mean access-log?"),
    ("acces-log", "did you mean access-log?"), ("nothing", "known are access-log, json, csv"),
  ])
  func membersAreFoundByTheirSummaries(word: String, remedy: String) {
    let entries = [
      CatalogEntry(name: "access-log", summary: "logs of nginx, Apache and others"),
      CatalogEntry(name: "json", summary: "JSON lines; nginx's logs"),
      CatalogEntry(name: "csv", summary: "text in columns"),
    ]
    #expect(entries.remedy(for: word) == remedy)
  }
}
