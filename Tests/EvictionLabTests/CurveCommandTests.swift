import Results
import Testing

/// `evict curve`, and the reports that show curves and windows, as processes.
@Suite struct CurveCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func tableOfALittleTrace() async throws {
    // LRU's distances on a b a c a b d a: – – 1 – 1 2 – 2. At 2 it misses three quarters: on the line.
    #expect(
      try await shell.run("evict curve tiny.txt")
        == Outcome(
          output: """
            tiny.txt (plain, told by its content): 8 requests, 4 distinct keys (50.00 % compulsory misses); miss-ratio curves

            policy  capacity  miss ratio %
            lru            1        100.00
            lru            3         50.00
            lru            4         50.00

            On tiny.txt the miss ratio of lru falls from 100.0\u{A0}% at 1 object to 50.0\u{A0}% at \
            4 objects; at 3 objects it has fallen by nine tenths of that.

            """))
  }

  @Test func aTraceWithoutGetsIsRefused() async throws {
    try shell.write("key,op\na,delete\nb,delete\n", to: "deletes.csv")
    #expect(
      try await shell.run("evict curve deletes.csv --policy lru,sieve")
        == Outcome(
          output: "",
          errors: "evict: deletes.csv: none of its 2 requests is a get, so there is no hit ratio; "
            + "a curve needs gets\n", code: 65))
  }

  @Test func pricesFindTheCheapestCapacity() async throws {
    let outcome = try await shell.run(
      "evict curve tiny.txt --price-per-gib 1 --cost-per-miss 0.5 --object-size 1GiB")
    #expect(
      outcome
        == Outcome(
          output: """
            tiny.txt (plain, told by its content): 8 requests, 4 distinct keys (50.00 % compulsory misses); miss-ratio curves

            policy  capacity  miss ratio %  cost of memory  cost of misses   cost
            lru            1        100.00           1.000           4.000  5.000*
            lru            3         50.00           3.000           2.000  5.000
            lru            4         50.00           4.000           2.000  6.000

            On tiny.txt no cache is cheapest: it costs 4.000 while the trace lasts, a cache of 1 object \
            under lru 5.000.

            """))
  }

  @Test func timesOfATracePriceItsMemory() async throws {
    try shell.write("key,time,size\n1,0,10\n2,1800,30\n1,3600,10\n", to: "timed.csv")
    let outcome = try await shell.run(
      "evict curve timed.csv --price-per-gib 1073741824/2h --cost-per-miss 1 --format json")
    let results = try ResultSet(reading: outcome.output.utf8, file: "curve")
    // Half of the price for an hour, objects of 20 bytes: 10 an object.
    let cheapest = try #require(results.curves[0].cheapest)
    #expect(cheapest.bytesPerObject == 20 && cheapest.pricePerGiB == 536_870_912)
    #expect(cheapest.capacity == 1 && cheapest.memory == 10 && cheapest.misses == 3)
  }

  @Test func pointsHaveTheirCostsInCSV() async throws {
    let outcome = try await shell.run(
      "evict curve tiny.txt --price-per-gib 1 --cost-per-miss 0.5 --object-size 1GiB --format csv "
        + "| head -2")
    #expect(
      outcome.output == """
        kind,trace,policy,parameters,capacity,unit,seed,method,rate,missRatio,low,high,costOfMemory,\
        costOfMisses,cost,costSeconds,format,formatReason
        curve,tiny.txt,lru,,1,objects,42,stack-distances,1.0,1.0,,,1.0,4.0,5.0,,plain,told by its content

        """)
  }

  /// Ten requests in a day: thirty times that in a month. A cache of 20 bytes hits 8 of 10.
  @Test func costsAreThoseOfAMonth() async throws {
    try writeDay()
    let outcome = try await shell.run(
      "evict curve day.csv --sized --policy fifo,lru --capacity 10B,20B --price-per-gib 1/month "
        + "--cost-per-miss 2 --present 10B | tail -1")
    #expect(
      outcome.output
        == "On day.csv a cache of 20B under any of 2 policies is cheapest: 120.0 a month, of which memory costs "
        + "1.863e-08 and misses 120.0. No cache costs 600.0, and what you have, 10B under fifo, about 600.0: "
        + "the cheapest saves about 480.0 a month. It spares the backend 9.26e-05 requests/s, 80.0\u{A0}% of all. "
        + "A month counts the trace 30 times, its empty cache too, so misses cost too much and the size may be too "
        + "small: --warmup leaves out the start.\n"
    )
    let none = try await shell.run(
      "evict curve day.csv --sized --capacity 20B --price-per-gib 1e12/month --cost-per-miss 2 "
        + "--present 20B | tail -1")
    #expect(none.output.hasPrefix("On day.csv no cache is cheapest: it costs 600.0 a month, "))
    #expect(
      none.output.contains("20B under lru, about 18746: the cheapest saves about 18146 a month."))
    #expect(none.output.hasSuffix(" --warmup leaves out the start.\n"))
  }

  @Test func whatIsTheCheapestSavesNothing() async throws {
    try writeDay()
    let outcome = try await shell.run(
      "evict curve day.csv --sized --capacity 10B,20B --price-per-gib 1/month --cost-per-miss 2 "
        + "--present 20B | tail -1")
    #expect(outcome.output.contains(" and what you have, 20B under lru, about 120.0. It spares "))
  }

  /// After two requests all hit, in 7/9 of the day: 8 requests in 67 200 s.
  @Test func costsAreThoseOfTheRequestsAfterTheWarmUp() async throws {
    try writeDay()
    let curve =
      "evict curve day.csv --sized --policy lru,arc --capacity 10B,20B --price-per-gib 1/month "
      + "--cost-per-miss 2 --warmup 2"
    let table = try await shell.run("\(curve) | tail -1")
    #expect(
      table.output
        == "On day.csv a cache of 20B under any of 2 policies is cheapest: 1.863e-08 a month, of which memory "
        + "costs 1.863e-08 and misses 0. No cache costs 617.1. It spares the backend 0.000119 requests/s, "
        + "100.0\u{A0}% of all. A month counts the requests after the warm-up 39 times.\n")
    let document = try await shell.run("\(curve) --format json")
    for curve in try ResultSet(reading: document.output.utf8, file: "curve").curves {
      #expect(curve.warmup == 2 && curve.requests == 8 && curve.cheapest?.seconds == 67_200)
      #expect(curve.points.map(\.missRatio) == [1, 0])
    }
    let csv = try await shell.run("\(curve) --format csv | cut -d, -f13,15,17 | head -2")
    #expect(
      csv.output == "warmup,costOfMisses,costSeconds\n2,617.1428571428571,2592000.0\n")
  }

  /// Ten requests for two objects of 10 bytes in turn, in a day.
  private func writeDay() throws {
    let rows = (0..<10).map { "\($0 % 2),\($0 * 9600),10" }
    try shell.write("key,time,size\n" + rows.joined(separator: "\n") + "\n", to: "day.csv")
  }

  /// Memory for objects without bytes has no price.
  @Test func objectsOfNoSizeHaveNoPrice() async throws {
    try shell.write("time,key,size\n1,1,0\n2,2,0\n3,1,0\n", to: "empty.csv")
    let outcome = try await shell.run(
      "evict curve empty.csv --price-per-gib 3 --cost-per-miss 0.001 --present 1MiB")
    #expect(outcome.code == 65 && outcome.errors.contains("--object-size"), "\(outcome)")
  }

  /// Times that are all the same tell no duration.
  @Test func aMomentHasNoPrice() async throws {
    try shell.write("key,time,size\na,0,10\nb,0,10\na,0,10\n", to: "moment.csv")
    let outcome = try await shell.run(
      "evict curve moment.csv --price-per-gib 3.5/month --cost-per-miss 1")
    #expect(outcome.code == 65 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("times that differ"), "\(outcome)")
  }

  /// Costs of one trace say nothing of another.
  @Test func eachTraceHasItsPrice() async throws {
    try shell.write("1\n1\n1\n1\n", to: "same.txt")
    let outcome = try await shell.run(
      "evict curve tiny.txt same.txt --price-per-gib 0.1 --cost-per-miss 1 --object-size 1GiB | tail -1"
    )
    #expect(outcome.output.hasPrefix("On tiny.txt a cache of 3 objects under lru is cheapest: "))
    #expect(outcome.output.contains(". On same.txt a cache of 1 object under lru is cheapest: "))
  }

  /// As a shell orders `site.log site.log.1`.
  @Test func logsThatAreJoinedTheNewestFirstHaveTheirTime() async throws {
    let old = (0..<5).map { "\($0 % 2),\($0 * 9600),10" }
    let new = (5..<10).map { "\($0 % 2),\($0 * 9600),10" }
    try shell.write("key,time,size\n" + (old + new).joined(separator: "\n") + "\n", to: "day.csv")
    try shell.write("key,time,size\n" + (new + old).joined(separator: "\n") + "\n", to: "back.csv")
    let curve = "--sized --policy lru --capacity 20B --price-per-gib 1/month --cost-per-miss 2"
    let right = try await shell.run("evict curve day.csv \(curve) | tail -1")
    let back = try await shell.run("evict curve back.csv \(curve) | tail -1")
    #expect(back.output.replacing("back.csv", with: "day.csv") == right.output)
    #expect(back.errors.hasPrefix("evict: back.csv: times go back by more than a minute"))
    #expect(right.errors == "")
  }

  @Test(arguments: ["3.5/fortnight", "$3.5/30d", "-1"])
  func aPriceThatIsNoneSaysWhatIs(_ price: String) async throws {
    let outcome = try await shell.run(
      "evict curve tiny.txt --price-per-gib='\(price)' --cost-per-miss 1 2>&1")
    #expect(outcome.code == 64 && outcome.output.contains("such as 3.5/month or 3.5/30d"))
  }

  @Test func documentIsShownInEveryForm() async throws {
    let made = try await shell.run(
      "evict curve tiny.txt --policy lru,arc --points 3 --format json --output c.json")
    #expect(made == Outcome(output: ""))
    let results = try ResultSet(reading: shell.read("c.json").utf8, file: "c.json")
    #expect(results.curves.map(\.policy) == ["lru", "arc"])
    #expect(
      results.environment.command
        == "evict curve tiny.txt --policy lru,arc --points 3 --format json --output c.json")
    #expect(results.traces[0].sha256?.count == 64)
    let csv = try await shell.run("evict report c.json --format csv | head -2")
    #expect(
      csv.output == """
        kind,trace,policy,parameters,capacity,unit,seed,method,rate,missRatio,low,high,format,formatReason
        curve,tiny.txt,lru,,1,objects,42,stack-distances,1.0,1.0,,,plain,told by its content

        """)
    let page = try await shell.run("evict report c.json --format html | grep -c data-name")
    #expect(page.output == "2\n")
  }

  @Test func picturesShowChosenTracesAndSections() async throws {
    _ = try await shell.run(
      "cp tiny.txt other.txt; evict sweep tiny.txt other.txt --policy lru,arc --capacity 2,3 "
        + "--windows 4 --format json --output two.json")
    let both = try await shell.run("evict report two.json --format svg --columns 2")
    #expect(both.output.contains("width=\"904\""))
    #expect(both.output.contains(">tiny.txt<") && both.output.contains(">other.txt<"))
    let one = try await shell.run(
      "evict report two.json --trace other.txt --charts over-time --format svg")
    #expect(one.output.contains(">other.txt, 2 objects<") && !one.output.contains("tiny.txt"))
    #expect(one.output.contains(">hit ratio %<") && !one.output.contains(">miss ratio %<"))
    for (options, message) in [
      ("--charts curve", "no section of charts is called “curve”; did you mean curves?"),
      ("--trace tinny.txt", "no result is of a trace “tinny.txt”; did you mean tiny.txt?"),
      ("--columns 0", "--columns must be at least 1"),
    ] {
      let refused = try await shell.run("evict report two.json --format svg \(options)")
      #expect(refused.code == 64 && refused.errors.contains(message), "\(refused.errors)")
    }
  }

  @Test func sweepWritesWindowsAndTheReferenceCurve() async throws {
    let made = try await shell.run(
      "evict sweep tiny.txt --policy lru,arc --capacity 2 --windows 4 --format json")
    let results = try ResultSet(reading: made.output.utf8, file: "sweep")
    #expect(
      results.measurements[0].windows
        == RequestWindows(ends: [2, 4, 6, 8], requests: [2, 2, 2, 2], hits: [0, 1, 1, 0]))
    #expect(results.references.map(\.policyLabel) == ["lru"])
    #expect(results.references[0].missRatio(at: 2) == 0.75)
    let bare = try await shell.run(
      "evict sweep tiny.txt --policy lru --capacity 2 --no-yardstick --format json")
    #expect(try ResultSet(reading: bare.output.utf8, file: "sweep").references.isEmpty)
  }

  @Test func capacitiesThatASampleIsTooSmallForAreSaid() async throws {
    _ = try await shell.run("evict trace generate zipf:keys=2000:requests=30000 --output z.lis")
    let line = "evict curve z.lis --policy lru,sieve --rate 0.05 --format csv --capacity"
    let made = try await shell.run("\(line) 2,5,400,401,402,1000 | cut -d, -f3,5")
    #expect(
      made.output
        == "policy,capacity\n"
        + ["lru", "sieve"].flatMap { policy in
          [400, 401, 402, 1_000].map { "\(policy),\($0)\n" }
        }.joined())
    let note =
      /evict: z.lis, capacities 2, 5: left out: of so few objects a sample of [45]\.\d\d % of the keys has fewer than 10; give --exact\n/
    #expect(made.errors.wholeMatch(of: note) != nil, "\(made)")
    let none = try await shell.run("\(line) 50")
    #expect(none.code == 64 && none.output.isEmpty)
    let refusal =
      /evict: z.lis: a sample of [45]\.\d\d % of its keys, \d+ of them, is too small for these capacities; give --rate 0\.25 or more, or --exact\n/
    #expect(none.errors.wholeMatch(of: refusal) != nil, "\(none)")
  }

  @Test func countedSetsHaveNoReferenceCurve() async throws {
    try shell.write("key,op\n1,set\n2,get\n1,get\n1,set\n", to: "sets.csv")
    let sweep = "evict sweep sets.csv --policy arc --capacity 2 --format json"
    let gets = try await shell.run(sweep)
    #expect(try ResultSet(reading: gets.output.utf8, file: "gets").references.count == 1)
    let all = try await shell.run("\(sweep) --count-sets")
    let results = try ResultSet(reading: all.output.utf8, file: "all")
    #expect(results.measurements.map(\.requests) == [4] && results.references.isEmpty)
    // Without operations there are no sets, and the curve counts what the runs do.
    let tiny = try await shell.run(
      "evict sweep tiny.txt --policy arc --capacity 2 --format json --count-sets")
    #expect(try ResultSet(reading: tiny.output.utf8, file: "tiny").references.count == 1)
  }

  @Test func documentsComeFromPipesAndDevices() async throws {
    _ = try await shell.run("evict sweep tiny.txt --policy lru --capacity 2 --format json >a.json")
    let whole = try await shell.run("evict report a.json")
    #expect(whole.code == 0 && whole.output.contains("lru"))
    #expect(try await shell.run("evict report /dev/stdin <a.json") == whole)
    #expect(
      try await shell.run("mkfifo pipe; cat a.json >pipe & evict report pipe") == whole)
    let empty = try await shell.run("evict report /dev/null")
    #expect(empty.code == 65 && empty.errors.hasPrefix("evict: /dev/null: byte 0: "))
    #expect(
      try await shell.run("ln -s loop loop; evict report loop")
        == Outcome(
          output: "",
          errors: "evict: loop: cannot open: too many levels of symbolic links; "
            + "check the disk and the path\n", code: 74))
    // Nobody is forbidden anything who is root.
    let denied = try await shell.run("chmod 0 a.json; [ -r a.json ] || evict report a.json")
    #expect(
      denied == Outcome(output: "")
        || denied
          == Outcome(
            output: "",
            errors: "evict: a.json: cannot open: permission denied; "
              + "check its permissions\n", code: 74)
    )
  }

  @Test func documentsAreReportedTogether() async throws {
    for policy in ["lru", "arc"] {
      _ = try await shell.run(
        "evict sweep tiny.txt --policy \(policy) --capacity 2 --format json --output \(policy).json"
      )
    }
    let joined = try await shell.run("evict report lru.json arc.json --format csv | cut -d, -f3")
    #expect(joined == Outcome(output: "policy\nlru\narc\n"))
    let other = try shell.read("arc.json").replacing("\"cores\": ", with: "\"cores\": 1")
    try shell.write(other, to: "other.json")
    let warned = try await shell.run("evict report lru.json other.json --format csv | wc -l")
    #expect(
      warned.errors
        == "evict: measured in different environments: hits compare, times do not\n")
  }

  @Test func partsOfOneTraceAreReportedApart() async throws {
    for limit in [4, 8] {
      _ = try await shell.run(
        "evict sweep tiny.txt --policy lru --capacity 2 --limit \(limit) --format json "
          + "--output \(limit).json")
    }
    let joined = try await shell.run("evict report 4.json 8.json | grep distinct")
    #expect(
      joined.output == """
        tiny.txt (4 requests) (plain, told by its content): 4 requests, 3 distinct keys (75.00 % compulsory misses)
        tiny.txt (8 requests) (plain, told by its content): 8 requests, 4 distinct keys (50.00 % compulsory misses)

        """)
  }

  @Test func twoPoliciesAreComparedAcrossDocuments() async throws {
    _ = try await shell.run("evict trace generate zipf:keys=500:requests=20000 --output z.lis")
    for policy in ["lru", "arc"] {
      _ = try await shell.run(
        "evict sweep z.lis --policy \(policy) --capacity 20 --windows 100 --format json "
          + "--output \(policy).json")
    }
    let sentence = /On z.lis at 20: arc above lru by [0-9.]+ points; 95 % interval for the mean/
    let compared = try await shell.run("evict compare lru.json arc.json")
    #expect(compared.code == 0)
    #expect(compared.output.contains(sentence))
    let table = try await shell.run("evict report lru.json arc.json")
    #expect(table.output.contains("z.lis: what is uncertain\n"))
  }

  @Test func pageIsWrittenDirectly() async throws {
    for command in ["sweep", "replay", "curve"] {
      let made = try await shell.run(
        "evict \(command) tiny.txt --policy lru --capacity 2 --format html "
          + "--output \(command).html")
      #expect(made == Outcome(output: ""))
      let page = try shell.read("\(command).html")
      #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
      #expect(page.contains("<p class=\"lead\">On tiny.txt"))
      #expect(page.contains("evict \(command) tiny.txt --policy lru"))
    }
  }
}
