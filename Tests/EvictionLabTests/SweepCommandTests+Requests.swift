import Experiments
import Runner
import Testing

/// The requests that a sweep reads and counts.
extension SweepCommandTests {
  @Test(arguments: [
    ("delete", "", "deletes and touches use no cache"),
    ("delete", " --count-sets", "deletes and touches use no cache"),
    ("set", "", "count the sets by --count-sets"),
  ])
  func aTraceOfWhichNothingCountsIsRefused(
    operation: String, options: String, remedy: String
  ) async throws {
    try shell.write("key,op\na,\(operation)\nb,\(operation)\n", to: "x.csv")
    #expect(
      try await shell.run("evict sweep x.csv --policy lru --capacity 1" + options)
        == Outcome(
          output: "",
          errors: "evict: x.csv: none of its 2 requests is a get, so there is no hit ratio; "
            + "\(remedy)\n",
          code: 65))
  }

  /// A set makes the next get hit, a deletion makes it miss; `evict trace info` says the same.
  @Test func compulsoryMissesAreOfTheGets() async throws {
    try shell.write("key,op\na,set\na,get\nb,get\nb,delete\nb,get\na,get\n", to: "x.csv")
    for option in ["", " --stream"] {
      let sweep = try await shell.run(
        "evict sweep x.csv --policy lru --capacity 2\(option) 2>/dev/null"
          + " | head -1 | sed 's/.*: //'")
      #expect(
        sweep.output
          == "6 requests, 4 of them gets, 2 distinct keys (50.00 % of the gets are compulsory misses)\n"
      )
    }
    let info = try await shell.run(
      "evict trace info x.csv | grep -E '^  (gets|compulsory)' | sed 's/  */ /g'")
    #expect(
      info.output == " gets 4 of the requests\n compulsory misses 50.00 % of the gets\n")
  }

  @Test func setsThatCountAreEnough() async throws {
    try shell.write("key,op\na,set\na,set\n", to: "x.csv")
    let outcome = try await shell.run(
      "evict sweep x.csv --policy lru --capacity 1 --count-sets --format csv")
    #expect(outcome.errors == "" && outcome.code == 0)
  }

  @Test(arguments: ["cat tiny.txt", "gzip -c tiny.txt"])
  func standardInputIsReadPackedOrNot(_ source: String) async throws {
    let outcome = try await shell.run(
      "\(source) | evict sweep - --policy lru --capacity 2 --format csv | cut -d , -f 2,3,9")
    #expect(outcome == Outcome(output: "trace,policy,hits\n-,lru,2\n"))
  }

  @Test func compressedFileIsReadAsItIs() async throws {
    let outcome = try await shell.run(
      "gzip tiny.txt && evict sweep tiny.txt.gz --policy lru --capacity 2 --format csv"
        + " | cut -d , -f 2,3,9")
    #expect(outcome == Outcome(output: "trace,policy,hits\ntiny.txt.gz,lru,2\n"))
  }

  @Test func sizesThatAreNotCountedAreSaid() async throws {
    try shell.write("key,size\na,600\nb,600\nc,300\na,600\n", to: "sized.csv")
    try shell.write("key,size\na,600\nb,600\na,600\n", to: "pages.csv")
    for (line, isSaid) in [
      ("sweep sized.csv --capacity 2", true), ("curve sized.csv --points 2", true),
      ("sweep sized.csv --capacity 1KiB", false), ("sweep sized.csv --capacity 50% --sized", false),
      ("sweep pages.csv tiny.txt --capacity 2", false),
      ("sweep sized.csv --capacity 2 --format json", false),
    ] {
      let outcome = try await shell.run("evict \(line) --policy lru >/dev/null")
      #expect(
        outcome
          == Outcome(
            output: "",
            errors: isSaid
              ? "evict: capacities count objects, although those of sized.csv have sizes; --sized counts bytes\n"
              : ""), "\(line)")
    }
  }

  @Test func bytesImplyASizedRun() async throws {
    try shell.write("key,size\na,600\nb,600\na,600\nc,300\na,600\nb,600\n", to: "sized.csv")
    let outcome = try await shell.run(
      "evict sweep sized.csv --policy lru --capacity 1KiB,80% --format csv"
        + " | cut -d , -f 3,5,6,9,11")
    #expect(
      outcome
        == Outcome(
          output: """
            policy,capacity,unit,hits,byteHitRatio
            lru,1024,bytes,1,0.18181818181818182
            lru,1200,bytes,2,0.36363636363636365

            """))
  }

  @Test func warmUpIsNotCounted() async throws {
    let outcome = try await shell.run(
      "evict sweep tiny.txt --policy lru --capacity 3 --warmup 4 --format csv | cut -d , -f 8-9,13")
    #expect(outcome == Outcome(output: "requests,hits,insertions\n4,3,1\n"))
  }

  @Test func limitReadsTheFirstRequests() async throws {
    let outcome = try await shell.run(
      "evict sweep tiny.txt --policy lru --capacity 100% --limit 3 --format csv"
        + " | cut -d , -f 5,8,9")
    #expect(outcome == Outcome(output: "capacity,requests,hits\n2,3,1\n"))
  }
}
