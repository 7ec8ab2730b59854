import ArgumentParser
import Comparison
import Results
import Traces

/// `evict check`: the gate that closes when results are not what they were.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Fail when results differ from a baseline.",
    usage: "evict check <results> --baseline <file> [<options>]",
    discussion: """
      Examples:
        evict sweep traces/search.txt.zst --policy lru --format json --output a.json
        evict check a.json --baseline reference.json --update
        evict check a.json --baseline reference.json

      Exit code 1 when anything exact differs (counts, ratios, points of curves, windows), an estimated figure \
      differs by more than a tenth, a run is missing, a trace has other content, the instructions of a run \
      grew (evict speed), a document is incomplete or has a figure that does not follow from the others, or nothing could be compared. Times are advice. All options: --help-hidden, or man evict.
      """)

  @Argument(help: ArgumentHelp("The results; - reads standard input.", valueName: "results"))
  var results: String

  @Option(help: ArgumentHelp("The results that they are held against.", valueName: "file"))
  var baseline: String

  @Flag(
    help: """
      Show what differs, then make these results the baseline, new or not, without date and durations; rows that \
      do not differ stay as they are; nothing fails.
      """)
  var update = false

  @Flag(
    help: """
      Fail, instead of a warning, when instructions that were counted are not compared, and when none were counted.
      """)
  var requireInstructions = false

  @Flag(help: "Fail for what is worse only: runs that hit more are advice.")
  var onlyWorse = false

  @OptionGroup var comparison: ComparisonOptions

  func run() throws {
    let (after, judgement) = try comparison.comparing([results, baseline], compare)
    if update {
      try WholeFile.write(after.untimed.json.document, to: baseline)
      let count = after.measurements.count + after.curves.count
      StandardError.say("\(baseline): a new baseline of \(count) run\(count == 1 ? "" : "s")")
    } else if let judgement, judgement.hasFailed {
      throw Failed(description: problem(judgement))
    }
  }

  /// The new results, and the judgement on them; nil where there is no baseline yet.
  private func compare() throws -> (results: ResultSet, judgement: Judgement?) {
    if update {
      try OutputFile.check(
        baseline, .document(schema: ResultSet.schema), inputs: [results], completes: true,
        remedy: "give another --baseline")
    }
    let bytes = try Document.bytes(of: results)
    let after = try ResultSet(reading: bytes, file: results)
    var inconsistencies = try CheckCommand.inconsistencies(in: bytes, of: results, read: after)
    if update, let first = inconsistencies.first {
      throw ResultSetError.inconsistent(first)
    }
    if update && !after.isComplete { throw ResultSetError.incomplete(file: results) }
    if update && after.measurements.isEmpty && after.curves.isEmpty {
      throw ResultSetError.empty(file: results)
    }
    if update && requireInstructions
      && !after.measurements.contains(where: { $0.speed?.instructions != nil })
    {
      throw ResultSetError.uncounted(file: results)
    }
    guard let (earlier, before) = try earlier() else { return (after, nil) }
    let tolerances = comparison.tolerances
    let found = ResultComparison(
      before: before, after: after, tolerances: tolerances, bounds: KnownPolicies.bounds)
    if update {
      return (after.keepingRuns(of: before, tolerances: tolerances), .information(found))
    }
    inconsistencies += try CheckCommand.inconsistencies(in: earlier, of: baseline, read: before)
    let judgement = Judgement.gate(
      found, inconsistencies: inconsistencies, requiresInstructions: requireInstructions,
      forgivesGains: onlyWorse)
    return (after, judgement)
  }

  /// The baseline; nil where one is to be made and there is none, or it cannot be read, as after a merge that left both
  /// sides in it.
  private func earlier() throws -> ([UInt8], ResultSet)? {
    do {
      let bytes = try Document.bytes(of: baseline)
      return (bytes, try read(bytes))
    } catch TraceError.missing {
      if update { return nil }
      throw ResultSetError.noBaseline(file: baseline)
    } catch ResultSetError.brokenBaseline(let file, let problem) where update {
      StandardError.say("what was there is not compared: \(file): \(problem)")
      return nil
    } catch let error as ResultSetError where update {
      StandardError.say("what was there is not compared: \(error)")
      return nil
    }
  }

  /// Reads the baseline; where it is not JSON, the error says what became of it.
  private func read(_ bytes: [UInt8]) throws(ResultSetError) -> ResultSet {
    do throws(ResultSetError) {
      return try ResultSet(reading: bytes, file: baseline)
    } catch {
      switch error {
      case .conflict:
        throw .brokenBaseline(file: baseline, problem: "has conflict markers of a merge")
      case .malformed where bytes.isEmpty:
        throw .brokenBaseline(file: baseline, problem: "is empty")
      case .malformed(_, _, let fault):
        let problem =
          fault.byte < bytes.count
          ? "byte \(fault.byte): \(fault.problem)" : "is cut off at byte \(fault.byte)"
        throw .brokenBaseline(file: baseline, problem: problem)
      default: throw error
      }
    }
  }

  /// Returns what is wrong in a document by itself.
  private static func inconsistencies(
    in bytes: [UInt8], of file: String, read results: ResultSet
  ) throws -> [String] {
    ResultSet.inconsistencies(in: try JSON(reading: bytes), read: results).map {
      "\(file): the \($0) does not follow from its other values"
    }
  }

  /// Returns the reason why the gate closed.
  private func problem(_ judgement: Judgement) -> String {
    let remark = judgement.remarks.first { $0.severity == .failure }?.text
    if judgement.items.contains(where: { $0.severity == .failure }) {
      return "the results \(judgement.relation) \(baseline); "
        + (remark ?? "if that is meant, run this again with --update")
    }
    return "\(results) against \(baseline): \(remark ?? "")"
  }
}

extension ResultSet {
  /// The document without its date, the durations of its runs, and rows that stand twice: two of the same results are
  /// equal, so that a diff of baselines shows what changed.
  fileprivate var untimed: ResultSet {
    var document = self
    document.environment.date = ""
    for index in measurements.indices {
      document.measurements[index].record(seconds: 0, requestsRun: 0)
    }
    for index in curves.indices { document.curves[index].seconds = 0 }
    for index in references.indices { document.references[index].seconds = 0 }
    var seen: Set<String> = []
    document.measurements.removeAll { !seen.insert($0.json.text).inserted }
    return document
  }
}
