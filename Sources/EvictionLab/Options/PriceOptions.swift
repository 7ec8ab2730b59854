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
      "Price of a GiB while the trace lasts, or 3.5/30d.", valueName: "price"))
  var pricePerGib: Price?

  @Option(help: ArgumentHelp("The cost of a miss, in the same money.", valueName: "price"))
  var costPerMiss: Price?

  @Option(
    help: ArgumentHelp(
      "Memory of an object; by default the mean size.",
      valueName: "bytes"))
  var objectSize: ByteSize?

  func validate() throws {
    if (pricePerGib == nil) != (costPerMiss == nil) {
      throw ValidationError("--price-per-gib and --cost-per-miss say nothing alone; give both")
    }
    if objectSize != nil && pricePerGib == nil {
      throw ValidationError("--object-size is for prices; give --price-per-gib and --cost-per-miss")
    }
    if costPerMiss?.period != nil {
      throw ValidationError("a miss has no duration; give --cost-per-miss a number")
    }
  }

  /// The columns that prices depend on.
  func columns(isSized: Bool) -> TraceColumns {
    var columns: TraceColumns = []
    if pricePerGib?.period != nil { columns.insert(.times) }
    if pricePerGib != nil && objectSize == nil && !isSized { columns.insert(.sizes) }
    return columns
  }

  /// The prices while the trace lasts; nil where none are given.
  func price(of trace: Trace, isSized: Bool) throws(TraceError) -> CachePrice? {
    guard let pricePerGib, let costPerMiss else { return nil }
    var perGiB = pricePerGib.amount
    if let period = pricePerGib.period {
      guard let duration = trace.duration else {
        throw .lacking(
          trace: trace.name, column: "times",
          remedy: "give --price-per-gib for as long as the trace lasts")
      }
      perGiB *= Double(duration) / Double(period)
    }
    let size = objectSize.map { Double($0.bytes) } ?? trace.meanObjectSize
    guard let size = isSized ? 1 : size else {
      throw .lacking(trace: trace.name, column: "sizes", remedy: "give --object-size")
    }
    return CachePrice(perGiB: perGiB, perMiss: costPerMiss.amount, bytesPerObject: size)
  }
}

/// A price on the command line: `3.5`, or for a time `3.5/30d`.
struct Price: RangedArgument {
  static let valueName = "price"
  static let range = "a number in your money, such as 3.5, or for a time, such as 3.5/30d"

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
    guard let time = TimeSpan(argument: String(parts[1])), time.nanoseconds > 0 else { return nil }
    period = time.nanoseconds
  }
}
