import ArgumentParser
import EvictionCore
import Experiments
import Foundation
import Parameters
import Results
import Runner
import Systems
import Traces

/// The end of the tool after an error: the one place that turns errors into exit codes.
package struct Ending {
  /// 0 done, 1 a comparison or a policy failed, or a merge lacks cells, 64 wrong usage, 65 bad data, 66 missing
  /// file, 70 internal fault, 71 out of memory, 74 I/O error, 130 stopped.
  package let code: Int32
  /// The line for standard error.
  package private(set) var message: String
  /// The text for standard output: help and version.
  let output: String

  /// The end after an error.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - command: The command that ran; nil where none did.
  package init(of error: any Error, in command: (any ParsableCommand.Type)? = nil) {
    self.init(of: error)
    if let command { message += Ending.remark(on: message, of: command) }
  }

  private init(of error: any Error) {
    switch error {
    case let error as TraceError where error.isTooLarge:
      self.init(error.kind.exitCode, "\(error)" + MemoryOptions.others)
    case let error as TraceError: self.init(error.kind.exitCode, "\(error)")
    case let error as PlanError: self.init(error.kind == .data ? 65 : 64, "\(error)")
    case let error as PolicyError: self.init(error.exitCode, "\(error)")
    case let error as SpecificationError: self.init(64, "\(error)")
    case ResultSetError.noBaseline(let file):
      self.init(66, "\(ResultSetError.noBaseline(file: file))")
    case let error as ResultSetError: self.init(65, "\(error)")
    case let error as PromptPricesError: self.init(65, "\(error)")
    case let error as PartitionError: self.init(error.exitCode, "\(error)")
    case let error as DiskExperimentError: self.init(error.exitCode, "\(error)")
    case let error as SystemError: self.init(error.exitCode, "\(error)")
    case let error as FetchError: self.init(error.exitCode, "\(error)")
    case let error as SuiteError: self.init(error.exitCode, "\(error)")
    case let error as ContractBreach: self.init(1, "\(error)")
    case let error as CellFailure: self.init(1, "\(error)")
    case let error as ChangedTrace: self.init(1, "\(error)")
    case let error as Failed: self.init(1, error.description)
    case let error as FailedCells: self.init(Ending(of: error.cause).code, error.description)
    case let error as Stopped: self.init(130, error.description)
    default: self.init(parsing: error)
    }
  }

  /// Writes the text for standard output. Returns the end, which is another one where that fails.
  func afterOutput() -> Ending {
    if output.isEmpty { return self }
    do throws(TraceError) {
      try WholeFile.write(output + "\n", to: "-")
      return self
    } catch {
      return Ending(of: error)
    }
  }

  private static let rangedValues: [any RangedArgument.Type] = [
    Jitter.self, PercentArgument.self,
    Count.self, Counts.self, TimeSpan.self, WindowWidth.self, DelaySpan.self, Rate.self,
    ByteSize.self,
    CutArgument.self, MissPenaltyArgument.self, Price.self, MissCost.self,
  ]

  /// Options for reading a trace, which not every command has that reads one.
  private static let readingOptions = ["--trace-format", "--limit", "--expansion"]

  /// Says so where a message names options for reading a trace that the command lacks.
  private static func remark(
    on message: String, of command: any ParsableCommand.Type
  ) -> String {
    let named = readingOptions.filter(message.contains)
    if named.isEmpty { return "" }
    let help = command.helpMessage(includeHidden: true)
    let missing = named.filter { !help.contains("\($0) ") }
    if missing.isEmpty { return "" }
    return
      "; this command has no \(missing.joined(separator: " and no ")): evict trace convert makes a trace that "
      + "needs none"
  }

  private init(_ code: Int32, _ message: String) {
    self.code = code
    self.message = message
    output = ""
  }

  /// The end after an error of the parser: wrong usage, and requests for help.
  private init(parsing error: any Error) {
    let parserCode = EvictionLabCommand.exitCode(for: error)
    let full = EvictionLabCommand.fullMessage(for: error)
    if parserCode.isSuccess {
      code = 0
      message = ""
      output = full
      return
    }
    output = ""
    guard parserCode == .validationFailure else {
      code = 70
      message = "internal fault: \(error); please report it"
      return
    }
    code = 64
    let lines = EvictionLabCommand.message(for: error)
      .split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    // The parser lists many choices one below the other.
    let choices = lines.filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
    var problem = (lines.filter { !$0.hasPrefix("- ") } + [choices.joined(separator: ", ")])
      .joined(separator: " ").trimmingCharacters(in: CharacterSet(charactersIn: ". "))
    problem = Ending.suggesting(problem)
    let value = Ending.rangedValues.first { problem.hasSuffix("<\($0.valueName)>'") }
    if let value, problem.hasPrefix("The value") { problem += "; give \(value.range)" }
    let help = full.split(separator: "\n").last { $0.contains("--help") }
    let command = help?.split(separator: "'").last { $0.contains("--help") } ?? "evict --help"
    let link = problem.last == "?" ? " See" : "; see"
    message = "\(problem)\(link) \(command.trimmingCharacters(in: .whitespaces))"
  }

  /// The parser's line with the nearest of the choices that it lists, where one is near.
  private static func suggesting(_ problem: String) -> String {
    let halves = problem.split(separator: ". Please provide one of ", maxSplits: 1)
    guard halves.count == 2,
      let value = halves[0].wholeMatch(of: /The value '(.*)' is invalid for .*/)?.1
    else { return problem }
    let choices = halves[1].replacing("the following: ", with: "").replacing(" or ", with: ", ")
      .split(separator: ", ").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'")) }
    return choices.suggestion(for: String(value)).map { "\(halves[0]); \($0)" } ?? problem
  }
}

extension PolicyError {
  fileprivate var exitCode: Int32 {
    switch self {
    case .theorem: 1
    case .missing: 66
    default: 64
    }
  }
}

extension FetchError {
  fileprivate var exitCode: Int32 {
    switch self {
    case .unknown: 64
    case .changed, .wrongChecksum: 65
    case .refused(_, _, let status): status == 404 || status == 410 ? 66 : 74
    case .connection, .noRanges, .noSample: 74
    case .cancelled: 130
    }
  }
}

extension SuiteError {
  fileprivate var exitCode: Int32 {
    switch self {
    case .noBundled, .nothing: 66
    case .noTraces, .noPrompts: 66
    case .changed: 65
    }
  }
}

extension DiskExperimentError {
  fileprivate var exitCode: Int32 {
    switch self {
    case .sizesMissing, .tooLarge: 65
    case .resizes, .cache(.policy): 64
    case .space, .folder, .cache: 74
    }
  }
}

extension PartitionError {
  fileprivate var exitCode: Int32 { if case .program = self { 64 } else { 65 } }
}

extension SystemError {
  fileprivate var exitCode: Int32 {
    switch self {
    case .unknown, .specification, .policy, .trace: 64
    case .disk, .driver: 74
    }
  }
}

extension TraceError {
  fileprivate var isTooLarge: Bool { if case .tooLarge = self { true } else { false } }
}

extension TraceError.Kind {
  fileprivate var exitCode: Int32 {
    switch self {
    case .usage: 64
    case .data: 65
    case .missing: 66
    case .memory: 71
    case .io: 74
    case .cancelled: 130
    }
  }
}
