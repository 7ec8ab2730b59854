import ArgumentParser
import Experiments
import Foundation
import Parameters
import Runner
import Traces

/// The prices of cache memory and misses.
struct PriceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Price of a GiB while the trace lasts, or 3.5/month.", valueName: "price"))
  var pricePerGib: Price?

  @Option(help: ArgumentHelp("The cost of a miss, in the same money.", valueName: "cost"))
  var costPerMiss: MissCost?

  @Option(
    help: ArgumentHelp(
      "Memory of an object; by default the mean size.",
      valueName: "bytes"))
  var objectSize: ByteSize?

  @Option(
    help: ArgumentHelp(
      "The capacity that you have, under the first policy.", valueName: "capacity"))
  var present: String?

  func validate() throws {
    if (pricePerGib == nil) != (costPerMiss == nil) {
      throw ValidationError("--price-per-gib and --cost-per-miss say nothing alone; give both")
    }
    if objectSize != nil && pricePerGib == nil {
      throw ValidationError("--object-size is for prices; give --price-per-gib and --cost-per-miss")
    }
    if present != nil && pricePerGib == nil {
      throw ValidationError("--present is for prices; give --price-per-gib and --cost-per-miss")
    }
  }

  /// The capacity that there is; nil where none is given.
  func presentCapacity() throws(PlanError) -> Capacity? {
    guard let present else { return nil }
    return try Capacity(parsing: present)
  }

  /// The columns that prices depend on.
  func columns(isSized: Bool) -> TraceColumns {
    var columns: TraceColumns = []
    if pricePerGib != nil { columns.insert(.times) }
    if pricePerGib != nil && objectSize == nil && !isSized { columns.insert(.sizes) }
    return columns
  }

  /// The prices while the requests from one on last; nil where none are given.
  func price(of trace: Trace, from start: Int, isSized: Bool) throws -> CachePrice? {
    guard let pricePerGib, let costPerMiss else { return nil }
    var perGiB = pricePerGib.amount
    let duration = trace.duration(from: start)
    if trace.longestStepBack > 60_000_000_000 {
      StandardError.say(
        "\(trace.name): times go back by more than a minute; of logs that are joined, name the older first"
      )
    }
    if let period = pricePerGib.period {
      guard let duration, duration > 0 else {
        throw TraceError.lacking(
          trace: trace.name, column: trace.times == nil ? "times" : "times that differ",
          remedy: "give --price-per-gib for as long as the trace lasts")
      }
      perGiB *= Double(duration) / Double(period)
    } else if duration ?? 0 > 0 {
      let price = perGiB.digits(3)
      StandardError.say(
        "\(trace.name): \(price) is the price of a GiB for as long as "
          + "\(start > 0 ? "the requests after the warm-up last" : "the trace lasts"); by the month it is "
          + "--price-per-gib \(price)/month")
    }
    let size = objectSize.map { Double($0.bytes) } ?? trace.meanObjectSize
    guard let size = isSized ? 1 : size, size > 0 else {
      throw TraceError.lacking(trace: trace.name, column: "sizes", remedy: "give --object-size")
    }
    var price = CachePrice(perGiB: perGiB, perMiss: costPerMiss.amount, bytesPerObject: size)
    price.seconds = duration.map { Double($0) / 1e9 }
    let total = isSized ? trace.distinctBytes ?? 0 : trace.distinct
    price.present = try presentCapacity().map { present in
      let capacity = present.resolved(total: total)
      return present.isBytes ? max(1, Int(Double(capacity) / size)) : capacity
    }
    return price
  }
}

/// The cost of a miss on the command line: `2e-6`.
struct MissCost: RangedArgument {
  static let valueName = "cost"
  static let range = "a number without a currency, such as 2e-6; a miss has no duration"

  let amount: Double

  init?(argument: String) {
    guard let number = Fraction(parsing: argument), number.numerator >= 0 else { return nil }
    amount = number.double
  }
}

/// A price on the command line: `3.5`, or for a time `3.5/30d`, which is `3.5/month`.
struct Price: RangedArgument {
  static let valueName = "price"
  static let range =
    "a number without a currency, such as 3.5, or for a time, such as 3.5/month or 3.5/30d"

  let amount: Double
  /// In nanoseconds.
  let period: Int64?

  init?(argument: String) {
    let parts = argument.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let number = Fraction(parsing: parts[0]), number.numerator >= 0 else { return nil }
    amount = number.double
    if parts.count == 1 {
      period = nil
      return
    }
    let text = parts[1] == "month" ? "30d" : String(parts[1])
    guard let time = TimeSpan(argument: text), time.nanoseconds > 0 else { return nil }
    period = time.nanoseconds
  }
}
