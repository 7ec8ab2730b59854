import ArgumentParser
import Eviction
import Experiments

/// What results are measured against.
struct YardstickOptions: ParsableArguments {
  @Flag(
    name: .customLong("no-yardstick"),
    help: "Do not compare results with FIFO and with the optimum: saves simulating these.")
  var isOff = false

  @Flag(help: "Say for each capacity whether the policy or the working set makes requests miss.")
  var explain = false

  func validate() throws {
    if explain && isOff { throw ValidationError("--explain needs what --no-yardstick leaves out") }
  }

  /// The baselines; nil for none.
  var baselines: Baselines? { isOff ? nil : Baselines(explains: explain) }
}
