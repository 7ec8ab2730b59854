import ArgumentParser
import DiskTier
import Experiments
import Parameters
import Results
import Runner

/// `evict disk`: experiments on the disk tier.
struct DiskCommand: ExperimentCommand {
  static let configuration = CommandConfiguration(
    commandName: "disk",
    abstract: "Measure the disk tier on a trace.",
    usage: "evict disk <trace> ... [<options>]",
    discussion: """
      Examples:
        evict disk traces/build.csv.zst --limit 2000 --capacity 20%
        evict disk traces/build.csv.zst --limit 2000 --capacity 20% \\
          --threshold 4KiB,64KiB

      Every cell runs in a folder of its own: the trace, then overwrites of a sample, the opening after a \
      kill, and reads of values that are not in memory. Values above a threshold are files, others rows \
      of the database. All options: --help-hidden, \
      or man evict.
      """)

  @OptionGroup var traces: TraceOptions
  @OptionGroup var policies: PolicyOptions<LRUAlone>
  @OptionGroup var sizes: CapacityOptions<LRUAlone>
  @OptionGroup var counting: CountingOptions
  @OptionGroup var expiry: ExpiryOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var resumption: ResumeOptions

  @Option(
    help: ArgumentHelp(
      "Inline thresholds, such as 4KiB,64KiB; by default the store's own, and with --recommend "
        + "1KiB to 1MiB.", valueName: "list"))
  var threshold: String?

  @Option(help: ArgumentHelp("Bytes of a page, 512 to 65536.", valueName: "list"))
  var pageSize = "4KiB"

  @Option(
    help: ArgumentHelp(
      "Durability of the store: "
        + "\(Durability.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "list"))
  var durability = Durability.processCrash.rawValue

  @Option(
    help: ArgumentHelp(
      "Rounds; by default one, with --recommend five.",
      valueName: "n"))
  var rounds: Count?

  @Option(
    help: ArgumentHelp(
      "Folder of the caches; by default for temporary files.",
      valueName: "folder"))
  var folder: String?

  @Flag(help: "Recommend an inline threshold, with its interval.")
  var recommend = false

  func validate() throws {
    if try grid().thresholds.count < 2 && recommend {
      throw ValidationError(
        "--recommend compares the database with files; give --threshold two sizes or more")
    }
    if let rounds, !(1...1_000).contains(rounds.value) {
      throw ValidationError("--rounds \(rounds.value) is out of range; give 1 to 1000")
    }
  }

  var mayExpire: Bool { true }

  func request() throws -> ExperimentRequest {
    let choices = try policies.policies()
    let capacities = try sizes.capacities()
    var request = ExperimentRequest(
      DiskExperiment(try grid(), folder: folder, recommends: recommend), policies: choices,
      capacities: capacities.list,
      settings: counting.settings(isSized: capacities.isSized, expires: expiry.isOn))
    request.columns = ExperimentPlan.columns(for: choices, isSized: true, expires: expiry.isOn)
    return request
  }

  func finish(_ results: inout ResultSet) {
    if recommend && results.isComplete && results.recommendations.isEmpty {
      StandardError.say(
        "nothing to recommend: no size of value was in the database and in files; "
          + "give --threshold sizes below and above those of the trace")
    }
  }

  private func grid() throws(ValidationError) -> DiskExperiment.Grid {
    let standard =
      recommend ? "1KiB,4KiB,16KiB,64KiB,256KiB,1MiB" : "\(StoreOptions().inlineThreshold)"
    let durabilities = try [durability].words.map { word throws(ValidationError) in
      guard let durability = Durability(rawValue: word) else {
        let known = Durability.allCases.map(\.rawValue)
        throw ValidationError("“\(word)” is no durability; \(known.remedy(for: word))")
      }
      return durability
    }
    let thresholds = try [threshold ?? standard].numberWords().map { word throws(ValidationError) in
      guard let bytes = ByteCount.parse(word), bytes >= 0 else {
        throw ValidationError("“\(word)” is no threshold; give bytes, such as 16KiB")
      }
      return bytes
    }
    let pages = try [pageSize].numberWords().map { word throws(ValidationError) in
      guard let bytes = ByteCount.parse(word), (512...65_536).contains(bytes),
        bytes & (bytes - 1) == 0
      else {
        throw ValidationError("“\(word)” is no page size; give a power of two from 512 to 65536")
      }
      return bytes
    }
    return DiskExperiment.Grid(
      thresholds: thresholds.unique, pageSizes: pages.unique, durabilities: durabilities,
      rounds: rounds?.value ?? (recommend ? 5 : 1))
  }
}
