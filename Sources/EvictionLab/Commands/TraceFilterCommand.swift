import ArgumentParser
import Experiments
import Foundation
import Runner
import Traces

/// `evict trace filter`: what a cache lets through.
struct TraceFilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Write the misses of a cache: the trace that a second level sees.",
    usage: """
      evict trace filter <trace> ... --policy <name> --capacity <size> \\
        --output <file>
      """,
    discussion: """
      Examples:
        evict trace filter traces/orders.txt.zst --policy lru --capacity 1% \\
          --output misses.txt
        evict trace filter traces/orders.txt.zst --policy arc --capacity 1% \\
          --hits --output hits.txt

      Requests that miss are written with all their columns. Sets, adds and deletes pass through the cache \
      and are written, too; blocks that are read or written are requests.
      """)

  @OptionGroup var traces: TraceOptions
  @OptionGroup var policies: PolicyOptions<OneCell>
  @OptionGroup var sizes: CapacityOptions<OneCell>
  @OptionGroup var random: SeedOption
  @OptionGroup var output: TraceOutputOptions

  @Flag(help: "Write the requests that hit instead.")
  var hits = false

  func run() throws {
    Interruption.install()
    let choices = try policies.policies()
    let capacities = try sizes.capacities()
    if choices.count != 1 || capacities.list.count != 1 {
      throw ValidationError(
        "a stream passes through one cache; give one --policy and one --capacity")
    }
    try output.check(inputs: traces.files)
    let trace = try traces.loadJoined(columns: output.columns())
    let plan = try ExperimentPlan(
      traces: [trace], policies: choices, capacities: capacities.list, seeds: [random.seed],
      settings: ExperimentPlan.Settings(isSized: capacities.isSized))
    let stream = try pass(plan)
    if stream.trace.requests == 0 {
      throw TraceError.usage(
        problem: "\(trace.name): no request \(hits ? "hits" : "misses")",
        remedy: hits ? "raise --capacity" : "lower --capacity")
    }
    try output.write(stream.trace)
    StandardError.say(
      "\(plan.cells[0].key.policy) at \(plan.cells[0].capacity) "
        + "\(capacities.isSized ? "bytes" : "objects") hits "
        + "\(stream.counts.hits) of \(stream.counts.requests) requests of \(trace.name)")
  }

  private func pass(_ plan: ExperimentPlan) throws -> MissStream {
    let line = ProgressLine()
    defer { line.clear() }
    // Nothing is kept before the stream is whole, so that a signal ends the tool at once.
    let stream = try MissStream.run(plan, keeping: hits ? .hits : .misses) { done in
      line.show(
        "filtering", requests: done, fraction: Double(done) / Double(plan.traces[0].requests))
      return true
    }
    guard let stream else { preconditionFailure("the observer stops no run") }
    return stream
  }
}
