import Parameters

extension Int64 {
  /// The nanoseconds of a second.
  static let second: Int64 = 1_000_000_000
  /// The nanoseconds of a millisecond.
  static let millisecond: Int64 = 1_000_000
  /// The nanoseconds of a microsecond.
  static let microsecond: Int64 = 1000
}

extension Parameter {
  /// The parameter `unit` of formats whose times don't say what they are in.
  static func unit(default name: String) -> Parameter {
    Parameter(
      "unit", .choice(CSVHeader.units.map(\.name)), default: .text(name),
      help: "the unit of times and times to live")
  }
}

extension Arguments {
  /// The nanoseconds of the ``Parameter/unit(default:)`` that was requested.
  var unit: Int64 {
    let name = text("unit")
    return CSVHeader.units.first { $0.name == name }?.nanoseconds ?? .second
  }
}
