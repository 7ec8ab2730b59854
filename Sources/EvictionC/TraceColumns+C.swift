import CEvictionLab
import Traces

extension TraceColumns {
  /// The columns of the interface, by their bits in it.
  private static let ofInterface: [(bit: Int, columns: TraceColumns)] = [
    (EVL_SIZES, .sizes), (EVL_TIMES, .times), (EVL_OPERATIONS, .operations), (EVL_TTLS, .ttls),
    (EVL_COSTS, .costs), (EVL_KEY_LENGTHS, .keyLengths),
  ]

  /// All columns of the interface.
  static let allOfInterface = ofInterface.reduce(into: TraceColumns()) { $0.formUnion($1.columns) }

  /// The columns of a set of bits.
  init(bits: UInt32) throws(CallFailure) {
    if Int(bits) & ~EVL_ALL_COLUMNS != 0 {
      throw .usage("columns has unknown bits: \(bits); give EVL_ALL_COLUMNS or fewer")
    }
    self = TraceColumns.ofInterface.filter { Int(bits) & $0.bit != 0 }
      .reduce(into: []) { $0.formUnion($1.columns) }
  }

  /// The set's bits in the interface.
  var bits: UInt32 {
    TraceColumns.ofInterface.filter { contains($0.columns) }.reduce(0) { $0 | UInt32($1.bit) }
  }
}
