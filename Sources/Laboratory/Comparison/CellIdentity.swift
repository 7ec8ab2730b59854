/// What tells one run from another in a results document, and is the same in the next one.
public struct CellIdentity: Hashable, Sendable {
  /// What was run.
  public let kind: Measurement.Kind
  /// The trace's name.
  public let trace: String
  /// The policy as it is written on the command line.
  public let policy: String
  /// The capacity in ``unit``.
  public let capacity: Int
  /// What the capacity counts.
  public let unit: Measurement.Unit
  /// Where every random draw started from.
  public let seed: Int
  /// A replay's threads; 0 for a simulation.
  public let threads: Int
  /// A replay's lock.
  public let lock: String?
  /// A replay's system.
  public let system: String?

  /// The identity of a run.
  public init(_ measurement: Measurement) {
    kind = measurement.kind
    trace = measurement.trace
    policy = measurement.policyLabel
    capacity = measurement.capacity
    unit = measurement.unit
    seed = measurement.seed
    threads = measurement.replay?.threads ?? 0
    lock = measurement.replay?.lock
    system = measurement.replay?.system
  }

  /// In words, without the trace: `arc at 1000`, `lru at 64MiB, 2 threads, mutex`.
  public var label: String {
    var label = "\(policy) at \(Measurement.label(of: capacity, unit))"
    if let system { label += ", \(system)" }
    if threads > 0 { label += ", \(threads) thread\(threads == 1 ? "" : "s")" }
    if let lock { label += ", \(lock)" }
    if seed != 42 { label += ", seed \(seed)" }
    return kind == .bounds ? "bounds at \(Measurement.label(of: capacity, unit))" : label
  }
}

extension Measurement {
  /// Whether the run counts the same whenever it is repeated: several threads do not.
  public var isDeterministic: Bool { replay.map { $0.threads == 1 && $0.system == nil } ?? true }
}
