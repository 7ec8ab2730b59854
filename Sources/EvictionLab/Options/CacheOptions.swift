import ArgumentParser
import CacheReplay
import EvictionCore
import Parameters
import Results
import Systems

/// The caches that a replay drives: their locks, and how many threads use them.
struct CacheOptions: ParsableArguments {
  @Option(
    name: .customLong("lock"),
    help: ArgumentHelp(
      "Locks (evict locks); sharded:N:LOCK for N shards with one each.", valueName: "list"))
  var lockTexts = [AdaptiveLock.information.name]

  @Option(
    name: .customLong("reads"),
    help: ArgumentHelp(
      """
      When the policy learns of hits: strict (at once), buffered (later, many at a time, and under \
      contention not of all).
      """, valueName: "list", visibility: .detail))
  var readTexts: [String] = [CacheReads.strict.rawValue]

  @Option(
    name: .customLong("threads"),
    help: ArgumentHelp(
      "Threads, such as 1,2,4.", valueName: "list"))
  var threadTexts: [String] = ["1"]

  @Option(
    name: .customLong("share"),
    help: ArgumentHelp(
      """
      What a thread takes of the trace: interleaved (the next requests), keys (all requests of its \
      keys), copies (the whole trace).
      """, valueName: "name", visibility: .detail))
  var division = ReplayDivision.interleaved

  @Option(
    name: .customLong("system"),
    help: ArgumentHelp(
      "Systems (evict systems), or exec:COMMAND; repeatable.", valueName: "list"))
  var systemTexts: [String] = []

  /// The start of a value that names a program.
  private static let exec = "exec:"

  /// The systems, each once.
  func systems() throws(ValidationError) -> [SystemChoice] {
    let lists = systemTexts.filter { !$0.hasPrefix(CacheOptions.exec) }
    return try lists.words.map { word throws(ValidationError) in
      do throws(SystemError) {
        return try SystemChoice(parsing: word)
      } catch { throw ValidationError("\(error)") }
    }
  }

  /// The command lines of programs that drive caches: each takes the whole of its option.
  func drivers() throws(ValidationError) -> [String] {
    try systemTexts.filter { $0.hasPrefix(CacheOptions.exec) }.map { text throws(ValidationError) in
      let command = text.dropFirst(CacheOptions.exec.count)
      if command.allSatisfy(\.isWhitespace) {
        throw ValidationError("“\(text)” names no program; give exec:COMMAND")
      }
      return String(command)
    }
  }

  /// The locks, each once.
  func locks() throws(ValidationError) -> [LockChoice] {
    try lockTexts.words.map { word throws(ValidationError) in
      do throws(LockChoiceError) {
        return try LockChoice(parsing: word)
      } catch { throw ValidationError("\(error)") }
    }
  }

  /// The ways of reading, each once.
  func reads() throws(ValidationError) -> [CacheReads] {
    try readTexts.words.map { word throws(ValidationError) in
      guard let choice = CacheReads(rawValue: word) else {
        let known = CacheReads.allCases.map(\.rawValue)
        throw ValidationError("“\(word)” is no way to read; \(known.remedy(for: word))")
      }
      return choice
    }
  }

  /// The numbers of threads, each once.
  func threadCounts() throws(ValidationError) -> [Int] {
    try threadTexts.numberWords().map { word throws(ValidationError) in
      guard let count = Int(word), (1...1_024).contains(count) else {
        throw ValidationError("“\(word)” is no number of threads; give 1 to 1024")
      }
      return count
    }
  }

  func validate() throws {
    _ = try locks()
    _ = try reads()
    _ = try threadCounts()
    _ = try systems()
    _ = try drivers()
  }
}

extension ReplayDivision: ExpressibleByArgument {}
