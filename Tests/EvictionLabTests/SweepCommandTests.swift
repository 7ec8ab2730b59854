import Experiments
import Runner
import Testing

/// `evict sweep` as a process, its whole output compared.
@Suite struct SweepCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  static let full = "evict sweep tiny.txt --policy lru,slru:protected=0.5 --capacity 2,75%"
  static let sweep = full + " --no-yardstick"
  static let checksum = "13a280401c96038b1df12899702d55fc2e96c03ff484aa0d34edf5959a3ed0c4"

  @Test func tableIsAlignedAndMarksTheBest() async throws {
    let outcome = try await shell.run(Self.sweep + " | sed -E '/^ /s/ +[0-9.]+$//; s/  M req.*//'")
    #expect(
      outcome
        == Outcome(
          output: """
            tiny.txt (plain, told by its content): 8 requests, 4 distinct keys (50.00 % compulsory misses)

            capacity  policy              hit ratio %   hits
                   2  slru:protected=0.5        37.50*     3
                   2  lru                       25.00      2

                   3  lru                       50.00      4
                   3  slru:protected=0.5        50.00      4

            Rows are sorted by hit ratio; * marks the highest of a capacity.

            Verdict: on tiny.txt at 2 sizes slru:protected=0.5 hits 43.75 % on average, next lru: \
            37.50 %; slru:protected=0.5 hits more in 1 of 2.
            Hits are exact for these requests; --windows 100 estimates traffic like it.

            """))
  }

  @Test(arguments: [
    "sweep tiny.txt --capacity 1,024", "curve tiny.txt --capacity 1,024",
    "replay tiny.txt --capacity 1,024", "disk tiny.txt --capacity 1,024",
    "prefix tiny.txt --capacity 1,024", "replay tiny.txt --capacity 2 --threads 1,024",
    "replay tiny.txt --capacity 2 --rate 1,024", "disk tiny.txt --threshold 1,024",
    "disk tiny.txt --page-size 1,024",
  ])
  func aThousandsSeparatorIsNoComma(_ command: String) async throws {
    let outcome = try await shell.run("evict " + command)
    #expect(outcome.output == "" && outcome.code == 64)
    #expect(
      outcome.errors.contains(
        "“1,024” may be one number or a list; write 1024, or in a list 24 for 024"),
      "\(outcome.errors)")
  }

  @Test func documentHasItsKeysInOrder() async throws {
    let outcome = try await shell.run(Self.full + " --format json").masked
    func result(
      _ policy: String, _ capacity: Int, _ counts: String, _ fifo: String, _ optimum: String
    ) -> String {
      "    {\"kind\": \"sweep\", \"trace\": \"tiny.txt\", \"policy\": \(policy), "
        + "\"capacity\": \(capacity), \"unit\": \"objects\", \"seed\": 42, \"requests\": 8, "
        + counts + ", \"seconds\": …, \"requestsPerSecond\": …, \"missRatioReduction\": \(fifo), "
        + "\"distanceToOptimum\": \(optimum)}"
    }
    func counts(_ hits: Int, _ ratio: Double, _ insertions: Int, _ evictions: Int) -> String {
      "\"hits\": \(hits), \"hitRatio\": \(ratio), \"byteHitRatio\": null, "
        + "\"costHitRatio\": null, \"insertions\": \(insertions), \"evictions\": \(evictions)"
    }
    let lru = "\"lru\", \"parameters\": {}"
    let slru = "\"slru\", \"parameters\": {\"protected\": 0.5}"
    #expect(
      outcome
        == Outcome(
          output: """
            {
              "schema": "evictionlab.results/1",
              "environment": …,
              "traces": [
                {"name": "tiny.txt", "format": "plain", "formatReason": "told by its content", "requests": 8, "distinct": 4, \
            "sha256": "\(Self.checksum)"}
              ],
              "results": [
            \(result(lru, 2, counts(2, 0.25, 6, 4), "0.14285714285714285", "0.25")),
            \(result(slru, 2, counts(3, 0.375, 5, 3), "0.2857142857142857", "0.125")),
            \(result(lru, 3, counts(4, 0.5, 4, 1), "0.2", "0.0")),
            \(result(slru, 3, counts(4, 0.5, 4, 1), "0.2", "0.0"))
              ],
              "references": [
                {"kind": "curve", "trace": "tiny.txt", "policy": "lru", "parameters": {}, \
            "unit": "objects", "seed": 42, "method": "stack-distances", "rate": 1.0, \
            "requests": 8, "seconds": …, "points": [[1, 1.0, null, null], [3, 0.5, null, null], \
            [4, 0.5, null, null]]}
              ],
              "plan": {"traces": [{"name": "tiny.txt", "capacities": [2, 3], "bytes": 16}], \
            "capacities": ["2", "75%"], "policies": ["lru", "slru:protected=0.5"], \
            "seeds": [42], "options": {"sized": false, "warmup": 0, "countSets": false, \
            "traceInternals": 0, "windows": null, "traceFormat": null, "limit": null, \
            "yardsticks": true, "explain": false}, \
            "shares": [{"share": "1/1", "cells": 4}]}
            }

            """))
  }

  @Test func policiesAreLookedAtAsOftenAsAsked() async throws {
    let sweep = "evict sweep tiny.txt --policy arc,lru --capacity 2 --format json"
    let four = try await shell.run(sweep + " --trace-internals 4 | grep -o '\"internals.*'")
    #expect(
      four.output == """
        "internals": {"requests": [2, 4, 6, 8], "p": [0.0, 0.0, 1.0, 0.0]}},

        """)
    let flag = try await shell.run(
      "evict sweep tiny.txt --trace-internals --policy arc --capacity 2 --format json"
        + " | grep -o '\"requests\": .1, [^]]*]'")
    #expect(flag.output == "\"requests\": [1, 2, 3, 4, 5, 6, 7, 8]\n")
    let read = try await shell.run(
      sweep + " --trace-internals 2 --output a.json && evict report a.json --format json"
        + " | grep -c '\"internals\": {\"requests\": .4, 8'")
    #expect(read.output == "1\n")
    let none = try await shell.run(sweep + " | grep -c internals")
    #expect(none.output == "0\n")
  }

  @Test func csvHasOneLinePerRun() async throws {
    let outcome = try await shell.run(Self.sweep + " --format csv | cut -d , -f 1-14")
    #expect(
      outcome
        == Outcome(
          output: """
            kind,trace,policy,parameters,capacity,unit,seed,requests,hits,hitRatio,byteHitRatio,\
            costHitRatio,insertions,evictions
            sweep,tiny.txt,lru,,2,objects,42,8,2,0.25,,,6,4
            sweep,tiny.txt,slru,protected=0.5,2,objects,42,8,3,0.375,,,5,3
            sweep,tiny.txt,lru,,3,objects,42,8,4,0.5,,,4,1
            sweep,tiny.txt,slru,protected=0.5,3,objects,42,8,4,0.5,,,4,1

            """))
  }

  @Test(arguments: [
    ("tiny.txt", "plain,told by its content"),
    ("tiny.txt --trace-format csv:key=1", "csv,as given"),
    ("tiny.tr", "webcachesim,told by its name"),
    ("tiny.txt --stream", "plain,told by its content"),
    ("tiny.txt+tiny.tr", "plain+webcachesim,told by its content and told by its name"),
  ])
  func theFormatAndTheReasonForItAreSaid(_ trace: String, _ format: String) async throws {
    try shell.write("1 7 10\n2 8 10\n3 7 10\n", to: "tiny.tr")
    let csv = try await shell.run(
      "evict sweep \(trace) --policy lru --capacity 2 --format csv | rev | cut -d , -f 1,2 | rev")
    #expect(csv.output == "format,formatReason\n\(format)\n")
  }

  @Test func aCapacityOfMoreThanAllKeysIsNotedAndRun() async throws {
    let outcome = try await shell.run(
      "evict sweep tiny.txt --policy lru --capacity 100%,150% --format csv | cut -d , -f 5,8,9")
    #expect(
      outcome
        == Outcome(
          output: "capacity,requests,hits\n4,8,4\n6,8,4\n",
          errors: "evict: capacity 150% is more than all keys: nothing has to be evicted\n"))
  }

  @Test func tracesOfOneNameAreToldApartByTheirFolders() async throws {
    let outcome = try await shell.run(
      """
      mkdir mon tue; cp tiny.txt mon; cp tiny.txt tue
      evict sweep mon/tiny.txt tue/tiny.txt --policy lru --capacity 2 --format csv | cut -d , -f 1-3
      evict trace info mon/tiny.txt tue/tiny.txt --format json | grep -c '"name": "[mt][ou][ne]/tiny.txt"'
      """)
    #expect(
      outcome
        == Outcome(
          output: """
            kind,trace,policy
            sweep,mon/tiny.txt,lru
            sweep,tue/tiny.txt,lru
            2

            """))
  }

  @Test func tableSaysHowFarItIsFromFIFOAndTheOptimum() async throws {
    let outcome = try await shell.run(
      Self.full + " --wide | sed -E '/^ /s/ +[0-9.]+$//; s/  M req.*//'")
    #expect(
      outcome
        == Outcome(
          output: """
            tiny.txt (plain, told by its content): 8 requests, 4 distinct keys (50.00 % compulsory misses)

            capacity  policy              hit ratio %   miss reduction %  to MIN with bypass %  hits
                   2  slru:protected=0.5        37.50*             28.57                 12.50     3
                   2  lru                       25.00              14.29                 25.00     2

                   3  lru                       50.00              20.00                  0.00     4
                   3  slru:protected=0.5        50.00              20.00                  0.00     4

            Rows are sorted by hit ratio; * marks the highest of a capacity.

            Verdict: on tiny.txt at 2 sizes slru:protected=0.5 misses 24.29 % less than FIFO on \
            average (20.00 % less to 28.57 % less), next lru: 17.14 % less; slru:protected=0.5 hits \
            more in 1 of 2.
            Hits are exact for these requests; --windows 100 estimates traffic like it.

            """))
  }

  @Test func explanationIsASentencePerCapacity() async throws {
    let outcome = try await shell.run(
      "evict sweep tiny.txt --policy lru --capacity 1,3 --explain | grep '^tiny.txt at'")
    #expect(
      outcome
        == Outcome(
          output: """
            tiny.txt at 1: the best policy, lru, hits 0.00 %; no policy could hit more than 37.50 % \
            at this size, an unlimited cache 50.00 %; of the 100.00 % that miss, 50.00 % are first \
            requests, 12.50 % the size's and 37.50 % the policy's: mostly the workload's fault, as \
            most of them are first requests.
            tiny.txt at 3: the best policy, lru, hits 50.00 %; no policy could hit more than 50.00 % \
            at this size, an unlimited cache 50.00 %; of the 50.00 % that miss, 50.00 % are first \
            requests, 0.00 % the size's and 0.00 % the policy's: mostly the workload's fault, as \
            most of them are first requests.

            """))
    let document = try await shell.run(
      "evict sweep tiny.txt --policy lru --capacity 1 --explain --format json | grep compulsory")
    #expect(document.output.contains("\"bestPolicy\": \"lru\""))
  }

  @Test func boundsAreATable() async throws {
    let outcome = try await shell.run(
      "evict bounds tiny.txt --capacity 1,2,100% | sed -E 's/ +[0-9.]+$//; s/  seconds//'")
    #expect(
      outcome
        == Outcome(
          output: """
            tiny.txt (plain, told by its content): 8 requests, 4 distinct keys (50.00 % compulsory misses)

            capacity  policy   hit ratio ≥ %    ≤ %
                   1  optimum          37.50  37.50

                   2  optimum          50.00  50.00

                   4  optimum          50.00  50.00

            """))
    try shell.write("key,size\na,600\nb,600\na,600\nc,300\na,600\nb,600\n", to: "sized.csv")
    let bytes = try await shell.run(
      "evict bounds sized.csv --capacity 1KiB --format json | grep -o 'hitRatioBounds.*'")
    #expect(
      bytes
        == Outcome(
          output: """
            hitRatioBounds": [0.3333333333333333, 0.3333333333333333], "byteHitRatioBounds": \
            [0.36363636363636365, 0.5275757575757576]}

            """))
  }

  @Test func markdownIsATablePerTrace() async throws {
    let outcome = try await shell.run(
      Self.sweep + " --format markdown | sed -E 's/ [0-9.]+ \\|$//; s/^EvictionLab .*/EvictionLab/'"
    )
    #expect(
      outcome
        == Outcome(
          output: """
            ## tiny.txt (plain, told by its content): 8 requests, 4 distinct keys (50.00 % compulsory misses)

            | capacity | policy | hit ratio % | hits | M requests/s |
            | ---: | :--- | ---: | ---: | ---: |
            | 2 | slru:protected=0.5 | **37.50** | 3 |
            | 2 | lru | 25.00 | 2 |
            | 3 | lru | 50.00 | 4 |
            | 3 | slru:protected=0.5 | 50.00 | 4 |

            EvictionLab

            tiny.txt: SHA-256 \(Self.checksum)

                \(Self.sweep)

            """))
  }

  @Test func resultsDoNotDependOnTheNumberOfJobs() async throws {
    let sweep = "evict sweep tiny.txt --capacity 1,2,3,4 --format csv"
    let one = try await shell.run(sweep + " --seed 1 --seed 2 --jobs 1 | cut -d , -f 1-14")
    let many = try await shell.run(sweep + " --seed 1,2 --jobs 5 | cut -d , -f 1-14")
    #expect(one == many)
    let lines = one.output.split(separator: "\n")
    let cells = (1...4).map { capacity in
      RunnablePolicyEntry.catalog.filter {
        !$0.information.isBound && !$0.information.isReinterpretation
          && $0.information.minimumCapacity <= capacity
          && $0.needs.isSubset(of: [.keyHash, .keyLength])
      }.reduce(0) { $0 + 1 + $1.information.variants.count }
    }
    #expect(lines.count == 2 * cells.reduce(0, +) + 1)
  }

  @Test func aLearnerThatNeverLearnedIsNamedUnderTheTable() async throws {
    let note = "lhd did not learn on tiny.txt: lhd begins after 1048576 requests"
    let table = try await shell.run("evict sweep tiny.txt --policy lru,lhd --capacity 2")
    #expect(table.output.contains(note))
    let markdown = try await shell.run(
      "evict sweep tiny.txt --policy lru,lhd --capacity 2 --format markdown")
    #expect(markdown.output.contains(note))
    let others = try await shell.run("evict sweep tiny.txt --policy lru --capacity 2")
    #expect(!others.output.contains("did not learn"))
  }

  @Test func fileIsWrittenInPlaceOfStandardOutput() async throws {
    // A file that it wrote before, and an empty one.
    try shell.write("", to: "results.json")
    for _ in 1...2 {
      let outcome = try await shell.run(Self.sweep + " --format json --output results.json")
      #expect(outcome == Outcome(output: ""))
      let text = try shell.read("results.json")
      #expect(text.hasPrefix("{\n  \"schema\": \"evictionlab.results/1\""))
    }
    #expect(try shell.files() == ["results.json", "tiny.txt"])
  }

  @Test func readerThatHasEnoughEndsItQuietly() async throws {
    let outcome = try await shell.run(
      "evict trace generate zipf:requests=1e6 --output - 2>/dev/null | head -1")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.split(separator: "\n").count == 1)
  }
}
