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
  /// A replay's system.
  public let system: String?
  /// How a replay drove its cache.
  public let replay: ReplaySetup?
  /// What an experiment on disk was run with.
  public let disk: DiskSetup?

  /// The identity of a run.
  public init(_ measurement: Measurement) {
    kind = measurement.kind
    trace = measurement.trace
    policy = measurement.policyLabel
    capacity = measurement.capacity
    unit = measurement.unit
    seed = measurement.seed
    system = measurement.replay?.system
    replay = measurement.replay?.setup
    disk = measurement.disk.map { DiskSetup($0) }
  }

  /// A replay's threads; 0 for a simulation.
  public var threads: Int { replay?.threads ?? 0 }

  /// A replay's lock.
  public var lock: String? { replay?.lock }

  /// In words, without the trace: `arc at 1000`, `lru at 64MiB, 2 threads, mutex`.
  public var label: String {
    let place = Measurement.label(of: capacity, unit)
    if kind == .bounds { return "bounds at \(place)" }
    let parts = [
      "\(policy) at \(place)", system, replay?.label, disk?.label,
      seed == 42 ? nil : "seed \(seed)",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension Measurement {
  /// Whether the run counts the same whenever it is repeated: several threads do not.
  public var isDeterministic: Bool { replay.map { $0.threads == 1 && $0.system == nil } ?? true }
}
