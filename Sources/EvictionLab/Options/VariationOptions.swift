import ArgumentParser
import Results
import Runner
import Traces

/// The variations in which each cell is run once more: how far a hit ratio moves by chance alone.
struct VariationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run other orders, too: requests move N places at most.",
      valueName: "places"))
  var jitter: Jitter?

  @Option(
    help: ArgumentHelp(
      "Run other beginnings, too: at random in the first part of the trace.", valueName: "share",
      visibility: .detail))
  var offset: PercentArgument?

  @Option(
    help: ArgumentHelp(
      "Run other capacities, too, larger or smaller by up to so much.", valueName: "share",
      visibility: .detail))
  var sizeSpread: PercentArgument?

  @Option(
    help: ArgumentHelp(
      "Runs of each variation (--jitter, --offset, --size-spread); 10 by default.", valueName: "n",
      visibility: .detail))
  var orders: Count?

  /// The most runs of a kind.
  private static let most = 1_000

  func validate() throws {
    if let orders, !(2...VariationOptions.most).contains(orders.value) {
      throw ValidationError(
        "--orders \(orders) is out of range; give 2 to \(VariationOptions.most)")
    }
    if orders != nil && jitter == nil && offset == nil && sizeSpread == nil {
      throw ValidationError(
        "--orders says how many; give --jitter 64, --offset 5% or --size-spread 2%")
    }
  }

  /// Refuses another beginning beside a warm-up.
  func check(_ warmup: WarmupOption) throws(ValidationError) {
    if offset != nil && warmup.requests > 0 {
      throw ValidationError("--offset begins later, and --warmup too; leave one out")
    }
  }

  private var kinds: [Variation] {
    [
      jitter.flatMap { $0.variation(0) },
      offset.map { Variation(.beginning, extent: $0.share, number: 0) },
      sizeSpread.map { Variation(.size, extent: $0.share, number: 0) },
    ].compactMap(\.self)
  }

  /// The variations; none without these options.
  var variations: Variations { Variations(kinds, count: orders?.value ?? 10) }
}

/// The places that a request moves at most, and the model by which: `64`, `64:turns`.
struct Jitter: RangedArgument {
  static let valueName = "places"
  static var range: String {
    "0 to \(Variation.longestReach) places, and a model after a colon: "
      + OrderModels.all.map { $0.information.name }.joined(separator: ", ")
  }

  let reach: Int
  let model: String

  init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.count == 2 ? String(parts[1]) : OrderModels.all[0].information.name
    guard let reach = Count(argument: String(parts[0]))?.value,
      0...Variation.longestReach ~= reach, OrderModels.named(name) != nil
    else { return nil }
    (self.reach, model) = (reach, name)
  }

  /// An order of that number; nil where no request moves.
  func variation(_ number: Int) -> Variation? {
    reach == 0
      ? nil : Variation(.order, model: model, extent: Double(reach), number: number)
  }
}

/// A share on the command line: `5%`, or `0.05`.
struct PercentArgument: RangedArgument {
  static let valueName = "share"
  static let range = "more than 0 and at most 50 %, such as 2%"

  let share: Double

  init?(argument: String) {
    let isPercent = argument.hasSuffix("%")
    guard let number = Double(isPercent ? argument.dropLast() : argument[...]) else { return nil }
    share = isPercent ? number / 100 : number
    guard share > 0, share <= 0.5 else { return nil }
  }
}
