import Foundation
import TraceAnalysis
import Traces

/// The speed at which traces are made, written and read: the median and the best of some rounds, one line each.
///
///     TraceBenchmark [ROUNDS] [SPECIFICATION]
///
///
/// `TraceBenchmark analyse FILE [ROUNDS]` says how fast a file is loaded, and its trace then analysed.
///
/// `TraceBenchmark load FILE` prints how much processor time, in seconds, loading a file's keys
/// takes, and how much of that is numbering them: the same keys once more, from memory.
@main
struct TraceBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count > 2, arguments[1] == "load" {
      var trace: Trace?
      let loading = try processorTime { trace = try TraceLoader.load(path: arguments[2]) }
      print(loading, try trace.map(numbering) ?? 0)
      return
    }
    if arguments.count > 2, arguments[1] == "analyse" {
      return try analyse(arguments[2], arguments.count > 3 ? max(1, Int(arguments[3]) ?? 5) : 5)
    }
    let rounds = arguments.count > 1 ? max(1, Int(arguments[1]) ?? 9) : 9
    let specification = arguments.count > 2 ? arguments[2] : "zipf:alpha=1.0:keys=1e6:requests=1e7"
    let workload = try SyntheticWorkload(phases: [specification])
    let folder = NSTemporaryDirectory() + "/trace-benchmark-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    print("\(specification), \(rounds) rounds, million requests a second (median, best)")
    try report("generate in memory", rounds) { try TraceGenerators.trace(specification).requests }
    for name in [
      "a.oracleGeneral", "a.oracleGeneral.zst", "a.txt", "a.lcs", "a.evtrace", "a.evtrace.zst",
    ] {
      let path = folder + "/" + name
      try report("write \(name)", 1) {
        try TraceWriter.write(workload, to: path)
        return workload.requests
      }
      try report("load \(name)", rounds) { try TraceLoader.load(path: path).requests }
    }
    let path = folder + "/a.oracleGeneral"
    let notation = "binary:format=<IQIq:key=2:size=3:time=1"
    try report("load \(notation)", rounds) {
      try TraceLoader.load(path: path, format: notation).requests
    }
    for name in ["a.oracleGeneral", "a.lcs", "a.evtrace"] {
      try report("load \(name), all columns", rounds) {
        try TraceLoader.load(path: folder + "/" + name, columns: .all).requests
      }
    }
    try report("load \(notation), all columns", rounds) {
      try TraceLoader.load(path: path, format: notation, columns: .all).requests
    }
    try compare(["a.evtrace", "a.txt"].map { folder + "/" + $0 }, rounds)
    try report("digest a.oracleGeneral", rounds) {
      _ = try TraceLoader.sha256(ofFile: path)
      return workload.requests
    }
  }

  /// Loading and analysing a trace, in alternating rounds.
  private static func analyse(_ path: String, _ rounds: Int) throws {
    func load() throws -> Trace {
      try TraceLoader.load(path: path, columns: TraceProfile.columns)
    }
    let trace = try load()
    let name = "\(trace.name): \(trace.requests) requests for \(trace.distinct) keys"
    print("\(name), \(rounds) rounds, million requests a second (median, best)")
    try report("load", rounds) { try load().requests }
    try report("analyse", rounds) { try TraceProfile(trace).figures.isEmpty ? 0 : trace.requests }
    let start = processorNanoseconds()
    _ = try TraceProfile(trace)
    let nanoseconds = Double(processorNanoseconds() - start) / Double(trace.requests)
    print(String(format: "  processor time of the analysis: %.1f ns a request", nanoseconds))
  }

  /// Prints the processor time that loading one file saves over another, in alternating rounds: the median, the
  /// least and the most.
  private static func compare(_ paths: [String], _ rounds: Int) throws {
    var ratios: [Double] = []
    for _ in 0..<rounds {
      let times = try paths.map { path in
        try processorTime { _ = try TraceLoader.load(path: path) }
      }
      ratios.append(times[1] / times[0])
    }
    ratios.sort()
    let numbers = [ratios[rounds / 2], ratios[0], ratios[rounds - 1]]
    let texts = numbers.map { String(format: "%.1f", $0) }
    print("  a.txt over a.evtrace, processor time: \(texts[0]) (\(texts[1]) to \(texts[2]))")
  }

  /// The processor time of numbering a trace's keys.
  private static func numbering(_ trace: Trace) throws -> Double {
    let hashes = trace.keyHashes()
    let keys = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: trace.requests)
    defer { keys.deallocate() }
    _ = keys.initialize(from: trace.ids.lazy.map { hashes[Int($0)] })
    return try processorTime {
      var builder = TraceBuilder(name: "keys", format: "memory", keys: .integer)
      try builder.append(
        keysAt: UnsafeRawPointer(keys.baseAddress!), stride: 8, count: keys.count)
      let distinct = try builder.finish().distinct
      precondition(distinct == trace.distinct, "hashes of keys are keys")
    }
  }

  private static func processorTime(_ work: () throws -> Void) rethrows -> Double {
    let start = processorNanoseconds()
    try work()
    return Double(processorNanoseconds() - start) / 1e9
  }

  private static func processorNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  private static func report(_ name: String, _ rounds: Int, _ work: () throws -> Int) throws {
    var rates: [Double] = []
    for _ in 0..<rounds {
      var requests = 0
      let time = try ContinuousClock().measure { requests = try work() }
      rates.append(Double(requests) / (time / .seconds(1)) / 1e6)
    }
    rates.sort()
    let numbers = String(format: "%8.1f %8.1f", rates[rates.count / 2], rates[rates.count - 1])
    print("  " + name.padding(toLength: 64, withPad: " ", startingAt: 0) + numbers)
  }
}
