import CEvictionLab
import CInline
import Runner

/// The options of simulations, checked.
struct GivenOptions {
  let seed: Int
  let warmup: Int
  let threads: Int
  let isSized: Bool
  let countsSets: Bool
  let expires: Bool

  private static let mostThreads: UInt32 = 1_024

  /// The options at an address; the usual ones for NULL.
  init(_ options: UnsafePointer<evl_options>?) throws(CallFailure) {
    var usual = evl_options()
    usual.seed = 42
    let options = options?.pointee ?? usual
    if options.threads > GivenOptions.mostThreads {
      throw .usage("threads is \(options.threads); give at most \(GivenOptions.mostThreads)")
    }
    seed = Int(truncatingIfNeeded: options.seed)
    warmup = try Argument.number(options.warmup, "warmup")
    threads = options.threads == 0 ? max(1, Int(evl_processor_count())) : Int(options.threads)
    isSized = try Argument.flag(options.sized, "sized")
    countsSets = try Argument.flag(options.counts_sets, "counts_sets")
    expires = try Argument.flag(options.expires, "expires")
  }

  /// The settings of a plan for these capacities.
  func settings(for capacities: [Capacity]) throws(PlanError) -> ExperimentPlan.Settings {
    ExperimentPlan.Settings(
      isSized: try ExperimentPlan.isSized(capacities, asked: isSized), warmup: warmup,
      countsSets: countsSets, expires: expires)
  }
}
