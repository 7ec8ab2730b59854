import Parameters

extension Measurement {
  /// The capacity as one reads it: `1000`, `64MiB`, `1500B`.
  package var capacityLabel: String { Measurement.label(of: capacity, unit) }

  /// A capacity as one reads it.
  package static func label(of capacity: Int, _ unit: Unit) -> String {
    if unit == .objects { return "\(capacity)" }
    let binary = ByteCount.units.filter { $0.suffix.contains("i") }.reversed()
    let unit = binary.first { capacity >= $0.bytes && capacity.isMultiple(of: $0.bytes) }
    return unit.map { "\(capacity / $0.bytes)\($0.suffix)" } ?? "\(capacity)B"
  }

  /// What is compared: the policy with its parameters, in the system it runs in.
  package var contender: String { replay?.system.map { "\($0) (\(policyLabel))" } ?? policyLabel }

  /// The trace and the capacity.
  package var place: CellKey.Place { CellKey.Place(self) }
}
