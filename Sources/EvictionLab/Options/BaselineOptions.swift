import ArgumentParser
import Experiments

/// The baselines that results are measured against.
struct BaselineOptions: ParsableArguments {
  @Flag(
    name: [.customLong("no-baselines"), .customLong("no-yardstick")],
    help: "Do not compare results with FIFO and with the optimum: saves simulating these.")
  var isOff = false

  @Flag(help: "Say for each capacity whether the policy or the working set makes requests miss.")
  var explain = false

  func validate() throws {
    if explain && isOff { throw ValidationError("--explain needs what --no-baselines leaves out") }
  }

  /// The baselines; nil for none.
  var baselines: Baselines? { isOff ? nil : Baselines(explains: explain) }
}
