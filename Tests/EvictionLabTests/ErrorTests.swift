import EvictionCore
import EvictionLab
import Experiments
import Prefixes
import Runner
import Testing
import Traces

/// Errors end with one line on standard error and the right exit code.
@Suite struct ErrorTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  struct Case: CustomTestStringConvertible {
    let line: String
    let code: Int32
    let message: String

    init(_ line: String, _ code: Int32, _ message: String) {
      self.line = line
      self.code = code
      self.message = message
    }

    var testDescription: String { line }
  }

  static let formats = TraceFormats.all.map { $0.information.name }.joined(separator: ", ")
  static let generators = TraceGenerators.all.map { $0.information.name }.joined(separator: ", ")
  static let known = RunnablePolicyEntry.catalog.map(\.information.name).joined(separator: ", ")

  static let usage = [
    Case("evict sweep", 64, "Missing expected argument '<trace> ...'; see evict sweep --help"),
    Case(
      "evict swep tiny.txt", 64, "no command is called “swep”; did you mean sweep? See evict --help"
    ),
    Case(
      "evict help swep", 64, "no command is called “swep”; did you mean sweep? See evict --help"),
    Case(
      "evict trace nope --help", 64,
      "no command is called “nope”; known are info, convert, sample, filter, generate, record, fetch; "
        + "see evict --help"),
    Case(
      "evict sweep tiny.txt --capacity -1", 64,
      "“-1” is no capacity; write objects (1000, 1e6), a fraction (1%) or bytes (64MiB), "
        + "at most 64PiB"),
    Case(
      "evict curve tiny.txt --rate 2", 64,
      "The value '2' is invalid for '--rate <fraction>'; give more than 0 and at most 1, such as 0.01; "
        + "see evict curve --help"),
    Case(
      "evict replay tiny.txt --miss-penalty 1e9s", 64,
      "The value '1e9s' is invalid for '--miss-penalty <penalty>'; give 1ns to 1h, such as 2ms or "
        + "spin:5us; see evict replay --help"),
    Case(
      "evict sweep tiny.txt --stream --explain --shard 1/2", 64,
      "--stream does not go with --explain, --shard; leave one out, or run a sample: evict trace "
        + "sample; see evict sweep --help"),
    Case(
      "evict sweep tiny.txt --stream --policy opt --capacity 2", 64,
      "opt needs the future, which --stream does not know; leave the policy out, or run it on a "
        + "sample: evict trace sample"),
    Case(
      "evict sweep tiny.txt --limit 0", 64,
      "--limit 0 reads nothing; give 1 or more; see evict sweep --help"),
    Case(
      "evict sweep tiny.txt --limit -1", 64,
      "The value '-1' is invalid for '--limit <n>'; give a whole number, such as 1000 or 1e6; "
        + "see evict sweep --help"),
    Case(
      "evict claims C3 --quick --seed 9223372036854775807 --repeat 2", 64,
      "--seed 9223372036854775807 leaves no seeds for --repeat 2; give a smaller one; "
        + "see evict claims --help"),
    Case(
      "echo '{\"schema\":\"evictionlab.vectors/1\",\"vectors\":[]}' >cut.json; evict policies verify cut.json >/dev/null",
      64, "cut.json: there are no vectors; evict policies vectors writes some"),
    Case(
      "evict sweep tiny.txt --seed 1,x", 64,
      "The value '1,x' is invalid for '--seed <n,…>'; give whole numbers, such as 42 or 1,2,3; "
        + "see evict sweep --help"),
    Case(
      "evict sweep tiny.txt --policy lru --capacity 2 --format svg", 64,
      "there is no chart of curves to draw; curves take several capacities, or evict curve"),
    Case(
      "evict sweep tiny.txt --trace-format nginx", 64,
      "no trace format is called “nginx”; did you mean access-log or json?"),
    Case(
      "evict sweep tiny.txt --windows 1e9", 64,
      "The value '1e9' is invalid for '--windows <n|time>'; give 1 to 100000 windows, or their time, "
        + "such as 10min; see evict sweep --help"),
    Case("evict sweep tiny.txt --policy LRU", 64, "no policy is called “LRU”; did you mean lru?"),
    Case(
      "evict sweep tiny.txt --policy lruk", 64, "no policy is called “lruk”; did you mean lru-k?"),
    Case(
      "evict sweep tiny.txt --policy belady", 64, "no policy is called “belady”; did you mean opt?"
    ),
    Case("evict sweep tiny.txt --policy MIN", 64, "no policy is called “MIN”; did you mean opt?"),
    Case(
      "evict sweep tiny.txt --trace-format cache2k", 64,
      "no trace format is called “cache2k”; did you mean binary:bits=32?"),
    Case(
      "evict sweep tiny.txt --policy lru --capacity 2 --format json --output cut.json"
        + " && evict report cut.json --highlight lrux", 64,
      "no result to highlight is called “lrux”; did you mean lru? See evict --help"),
    Case(
      "evict trace ifno tiny.txt", 64,
      "no command is called “ifno”; did you mean info? See evict --help"),
    Case(
      "evict sweep tiny.txt --nope", 64,
      "Unknown option '--nope'. Did you mean '--wide'? See evict sweep --help"),
    Case(
      "evict sweep tiny.txt --limit x", 64,
      "The value 'x' is invalid for '--limit <n>'; give a whole number, such as 1000 or 1e6; "
        + "see evict sweep --help"),
    Case(
      "evict sweep tiny.txt --expansion 0", 64,
      "--expansion 0 refuses every file; give 1 or more; see evict sweep --help"),
    Case(
      "evict sweep tiny.txt --jobs 0", 64,
      "--jobs 0 runs nothing; give 1 or more; see evict sweep --help"),
    Case(
      "evict sweep tiny.txt --format xml", 64,
      "The value 'xml' is invalid for '--format <name>'. Please provide one of the following: "
        + "table, json, csv, csv-ranking, latex, latex-grid, markdown, junit, html, svg, svg-dark, "
        + "pdf; "
        + "see evict sweep --help"),
    Case(
      "evict sweep tiny.txt --format htm", 64,
      "The value 'htm' is invalid for '--format <name>'; did you mean html? See evict sweep --help"),
    Case(
      "evict sweep tiny.txt --windows 0", 64,
      "The value '0' is invalid for '--windows <n|time>'; give 1 to 100000 windows, or their time, "
        + "such as 10min; see evict sweep --help"),
    Case(
      "evict sweep tiny.txt --policy lru --windows 10s", 65,
      "tiny.txt has no times, so windows cannot last a time; give how many there are (100)"),
    Case(
      "evict curve tiny.txt --exact --rate 0.1", 64,
      "give --exact or --rate, not both; see evict curve --help"),
    Case(
      "evict curve tiny.txt --points 1", 64,
      "--points 1 is out of range; give 2 to 1000; see evict curve --help"),
    Case(
      "evict curve tiny.txt --sized", 64,
      "tiny.txt has no sizes, so capacities cannot be bytes; give objects (1000) or a fraction (1%)"
    ),
    Case(
      "evict curve tiny.txt --price-per-gib 3", 64,
      "--price-per-gib and --cost-per-miss say nothing alone; give both; see evict curve --help"),
    Case(
      "evict curve tiny.txt --object-size 4KiB", 64,
      "--object-size is for prices; give --price-per-gib and --cost-per-miss; "
        + "see evict curve --help"),
    Case(
      "evict curve tiny.txt --price-per-gib 3 --cost-per-miss 1/1h", 64,
      "The value '1/1h' is invalid for '--cost-per-miss <cost>'; give a number without a currency, "
        + "such as 2e-6; a miss has no duration; see evict curve --help"),
    Case(
      "evict curve tiny.txt --price-per-gib 3 --cost-per-miss -1", 64,
      "The value '-1' is invalid for '--cost-per-miss <cost>'; give a number without a currency, "
        + "such as 2e-6; a miss has no duration; see evict curve --help"),
    Case(
      "evict curve tiny.txt --sized --price-per-gib 3 --cost-per-miss 1 --present 256", 64,
      "--present 256 has no unit, and capacities are bytes; give 256B, or a unit such as MiB; "
        + "see evict curve --help"),
    Case(
      "evict curve tiny.txt --capacity 1KiB --price-per-gib 3 --cost-per-miss 1 --present 1e3", 64,
      "--present 1e3 has no unit, and capacities are bytes; give 1000B, or a unit such as MiB; "
        + "see evict curve --help"),
    Case(
      "evict curve tiny.txt --warmup 8", 64,
      "a warm-up of 8 leaves none of the 8 requests of tiny.txt; lower it"),
    Case(
      "evict curve tiny.txt --warmup 2 --rate 0.5", 64,
      "--warmup looks at all keys, as it counts requests, and a sample has fewer; leave out --rate"),
    Case(
      "evict curve tiny.txt --warmup 2 --offset 5%", 64,
      "--offset begins later, and --warmup too; leave one out; see evict curve --help"),
    Case(
      "evict curve tiny.txt --price-per-gib 3 --cost-per-miss 1", 65,
      "tiny.txt: has no sizes; give --object-size"),
    Case(
      "evict curve tiny.txt --price-per-gib 3.5/week --cost-per-miss 1", 64,
      "The value '3.5/week' is invalid for '--price-per-gib <price>'; give a number without a currency, "
        + "such as 3.5, or for a time, such as 3.5/month or 3.5/30d; see evict curve --help"),
    Case(
      "evict curve tiny.txt --price-per-gib 3/30d --cost-per-miss 1 --object-size 1", 65,
      "tiny.txt: has no times; give --price-per-gib for as long as the trace lasts"),
    Case(
      "evict sweep tiny.txt --policy nope", 64,
      "no policy is called “nope”; known are \(known)"),
    Case(
      "evict sweep tiny.txt --policy slru:protected=2", 64,
      "slru: protected=2 is out of range; give 0…1"),
    Case(
      "evict sweep tiny.txt --policy slru:nope=2", 64,
      "slru has no parameter “nope”; it has protected, segments, probation, fill, "
        + "resize, admission, prefetch"),
    Case(
      "evict sweep tiny.txt --policy slru:segments=2:protected=0.5", 64,
      "slru: give protected or segments, not both"),
    Case(
      "evict replay tiny.txt --policy lru,opt --capacity 2", 64,
      "opt: is a bound, which exists in simulation only; use evict sweep"),
    Case(
      "evict replay tiny.txt --rate 0", 64,
      "“0” is no rate; give requests a second (100000) or a percentage of the capacity (120%); "
        + "see evict replay --help"),
    Case(
      "evict replay tiny.txt --rate 100,-5%", 64,
      "“-5%” is no rate; give requests a second (100000) or a percentage of the capacity (120%); "
        + "see evict replay --help"),
    Case(
      "evict replay tiny.txt --pace 10", 64,
      "“10” is no pace; give trace, or trace:10 for ten times as fast (--rate for a rate); "
        + "see evict replay --help"),
    Case(
      "evict replay tiny.txt --policy lru --pace trace", 65,
      "tiny.txt: has no times; give --rate instead of --pace"),
    Case(
      "printf 'time,key\\n1,a\\n1,b\\n' > cut.csv && evict replay cut.csv --policy lru --pace trace",
      65, "cut.csv: has no times that differ; give --rate instead of --pace"),
    Case(
      "evict replay tiny.txt --arrivals uniform", 64,
      "--arrivals is for an open loop; give --rate or --pace; see evict replay --help"),
    Case(
      "evict replay tiny.txt --repeat 2 --time 1s", 64,
      "--time and --repeat exclude each other; give one of them; see evict replay --help"),
    Case(
      "evict replay tiny.txt --time 0", 64,
      "--time is from 1ns to 1h; see evict replay --help"),
    Case(
      "evict replay tiny.txt --repeat 0", 64,
      "--repeat 0 measures nothing; give 1 to 10000; see evict replay --help"),
    Case(
      "evict replay tiny.txt --sample 0", 64,
      "--sample 0 times nothing; give 1 to 1000000; see evict replay --help"),
    Case(
      "evict replay tiny.txt --miss-penalty nap:5us", 64,
      "The value 'nap:5us' is invalid for '--miss-penalty <penalty>'; give 1ns to 1h, such as 2ms or "
        + "spin:5us; see evict replay --help"),
    Case(
      "evict replay tiny.txt --cut 0", 64,
      "The value '0' is invalid for '--cut <n|fill>'; give 1 or more requests, or fill; "
        + "see evict replay --help"),
    Case(
      "evict replay tiny.txt --share nope", 64,
      "The value 'nope' is invalid for '--share <name>'. Please provide one of 'interleaved', 'keys' "
        + "or 'copies'; see evict replay --help"),
    Case(
      "evict replay absent.txt --policy lru --histograms no/such/folder", 66,
      "no/such/: no such folder; make it first"),
    Case(
      "evict replay tiny.txt --policy lru --histograms tiny.txt", 74,
      "tiny.txt: cannot make a folder: file exists; choose another name"),
    Case(
      "evict sweep tiny.txt --explain --no-yardstick", 64,
      "--explain needs what --no-baselines leaves out; see evict sweep --help"),
    Case(
      "evict bounds tiny.txt --capacity 1MiB", 64,
      "tiny.txt has no sizes, so capacities cannot be bytes; give objects (1000) or a fraction (1%)"
    ),
    Case(
      "evict sweep tiny.txt --capacity 0", 64,
      "“0” is no capacity; write objects (1000, 1e6), a fraction (1%) or bytes (64MiB), "
        + "at most 64PiB"),
    Case(
      "evict sweep tiny.txt --capacity 10,64MiB", 64,
      "plain capacities beside bytes: does a plain one count objects or bytes? "
        + "--sized makes it bytes"),
    Case(
      "evict sweep tiny.txt --capacity 64MiB", 64,
      "tiny.txt has no sizes, so capacities cannot be bytes; give objects (1000) or a fraction (1%)"
    ),
    Case(
      "evict sweep tiny.txt ./tiny.txt", 64,
      "two traces are called tiny.txt, and results could not tell them apart; leave one out"),
    Case(
      "evict sweep tiny.txt --warmup 8", 64,
      "a warm-up of 8 leaves none of the 8 requests of tiny.txt; lower it"),
    Case(
      "evict sweep tiny.txt --trace-format nope", 64,
      "no trace format is called “nope”; known are \(formats)"),
    Case(
      "evict policies nope", 64,
      "no policy is called “nope”; known are \(known), "
        + LeafOrders.all.map(\.information.name).joined(separator: ", ")),
    Case(
      "evict trace generate nope --output x", 64,
      "no trace generator is called “nope”; known are \(generators)"),
  ]

  static let data = [
    Case("evict sweep nope.txt", 66, "nope.txt: no such file; check the path"),
    Case("evict sweep .", 74, ".: is a folder; name a file in it"),
    Case(
      ": > empty && evict sweep empty", 65,
      "empty: 0 requests, at most a header or comments; fetch or record it again"),
    Case(
      "head -c 100 /dev/zero > cut.oracleGeneral.bin && evict sweep cut.oracleGeneral.bin", 65,
      "cut.oracleGeneral.bin: byte 96: 4 bytes are left of a record of 24; "
        + "the file is cut off, fetch or record it again"),
    Case(
      "printf '%s 1048576 0 0\\n' $(seq 20) > cut.lis && evict sweep cut.lis", 65,
      "cut.lis: byte 291: it holds more than 1000 requests for each byte stored; "
        + "give a larger --expansion if you trust it, or a --limit"),
    Case("evict report nope.json", 66, "nope.json: no such file; check the path"),
    Case(
      "printf '{\"a\": [1' > cut.json && evict report cut.json", 65,
      "cut.json: byte 8: expected a comma or a closing bracket; is this a document of “evictionlab.results/1”?"
    ),
    Case(
      "echo '{}' > cut.json && evict report cut.json", 65,
      "cut.json: its schema is missing, not “evictionlab.results/1”; "
        + "write it again with this version"),
  ]

  static let output = [
    Case(
      "evict sweep tiny.txt --policy lru > /dev/full", 74,
      "standard output: cannot write: no space left on device; free some space"),
    Case(
      "evict sweep tiny.txt --policy lru --output /dev/full", 74,
      "/dev/full: cannot write: no space left on device; free some space"),
    Case("evict sweep tiny.txt --output nope/x", 66, "nope/: no such folder; make it first"),
    Case("evict sweep tiny.txt --output .", 74, ".: is a folder; name a file in it"),
    Case(
      "evict trace generate zipf:requests=9 --output /dev/full", 74,
      "/dev/full: cannot write: no space left on device; free some space"),
  ]

  @Test(arguments: usage + data + output)
  func oneLineSaysWhatIsWrong(_ wrong: Case) async throws {
    let outcome = try await shell.run(wrong.line)
    #expect(
      outcome == Outcome(output: "", errors: "evict: \(wrong.message)\n", code: wrong.code))
    let kept = try shell.files().filter { !["tiny.txt", "empty"].contains($0) }
    #expect(kept.allSatisfy { $0.hasPrefix("cut") }, "nothing is left behind")
  }

  @Test func aPolicyThatContradictsItsPageFailsWithoutBeingWrongUsage() {
    #expect(Ending(of: PolicyError.theorem(policy: "lru", explanation: "")).code == 1)
    #expect(Ending(of: PolicyError.conflict(policy: "slru", explanation: "")).code == 64)
  }

  @Test func faultOfOurOwnSaysSo() {
    struct Fault: Error {}
    let ending = Ending(of: Fault())
    #expect(ending.code == 70)
    #expect(ending.message == "internal fault: Fault(); please report it")
  }
}
