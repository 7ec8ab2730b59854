import Parameters

/// The name of a cell: everything that tells it from the others of a results document, and is the same in
/// the next one.
///
///     CellKey(measurement).label  // arc at 1000, 2 threads, mutex
package struct CellKey: Hashable, Sendable {
  /// A trace and a capacity: cells at one place are compared with each other.
  package struct Place: Hashable, Sendable {
    /// The trace's name.
    package let trace: String
    /// The capacity in ``unit``; nil for a curve over many.
    package let capacity: Int?
    /// The unit of capacities.
    package let unit: Measurement.Unit

    /// A place.
    package init(trace: String, capacity: Int?, unit: Measurement.Unit) {
      self.trace = trace
      self.capacity = capacity
      self.unit = unit
    }

    /// The place of a measurement.
    package init(_ measurement: Measurement) {
      self.init(
        trace: measurement.trace, capacity: measurement.capacity, unit: measurement.unit)
    }
  }

  /// The part of a name that only cells of one kind have.
  package enum Variant: Hashable, Sendable {
    /// The way in which a replay drove its cache.
    case replay(ReplaySetup)
    /// The setup of an experiment on disk.
    case disk(DiskSetup)
    /// The rules of a cache of prefixes.
    case prefix(PrefixSetup)
    /// The fraction of the keys that a curve was drawn from.
    case curve(rate: Double)
    /// The form in which a policy's speed was measured; a policy alone has no variant, as in a sweep.
    case speed(Measurement.Form)
  }

  /// The kind of experiment.
  package let kind: Measurement.Kind
  /// The trace and the capacity.
  package let place: Place
  /// The policy as it is written on the command line.
  package let policy: String
  /// The random seed.
  package let seed: Int
  /// The part of the name that only cells of this kind have.
  package let variant: Variant?
  /// The variation; nil for a planned cell.
  package private(set) var variation: Variation?

  /// A name.
  package init(
    kind: Measurement.Kind, place: Place, policy: String, seed: Int = 42, variant: Variant? = nil,
    variation: Variation? = nil
  ) {
    self.kind = kind
    self.place = place
    self.policy = policy
    self.seed = seed
    self.variant = variant
    self.variation = variation
  }

  /// The name of a measured cell.
  package init(_ measurement: Measurement) {
    self.init(
      kind: measurement.kind, place: Place(measurement), policy: measurement.policyLabel,
      seed: measurement.seed,
      variant: measurement.replay.map { .replay($0.setup) }
        ?? measurement.disk.map { .disk($0.setup) }
        ?? measurement.prefix.map { .prefix($0.setup) }
        ?? Variant(measurement.form),
      variation: measurement.variation)
  }

  /// The name of a curve. The method is left out: all exact ones find the same points.
  package init(_ curve: MissRatioCurve) {
    self.init(
      kind: .curve, place: Place(trace: curve.trace, capacity: nil, unit: curve.unit),
      policy: curve.policyLabel, seed: curve.seed, variant: .curve(rate: curve.rate),
      variation: curve.variation)
  }

  /// The cell that this one is a variation of.
  package var recorded: CellKey {
    var key = self
    key.variation = nil
    return key
  }

  /// The trace's name.
  package var trace: String { place.trace }

  /// The form in which a policy's speed was measured; nil for others.
  package var form: Measurement.Form? {
    if case .speed(let form) = variant { form } else { nil }
  }

  /// A replay's setup; nil for others.
  package var replay: ReplaySetup? {
    if case .replay(let setup) = variant { setup } else { nil }
  }

  /// The name in words, without the trace: `arc at 1000`, `lru at 64MiB, 2 threads, mutex`,
  /// `lru curve, 1 % of the keys`.
  package var label: String {
    guard let capacity = place.capacity else { return kind == .curve ? curveLabel : policy }
    let size = Measurement.label(of: capacity, place.unit)
    if kind == .bounds { return "bounds at \(size)" }
    var parts = ["\(policy) at \(size)"]
    switch variant {
    case .replay(let setup): parts += [setup.system, setup.label].compactMap(\.self)
    case .disk(let setup): parts.append(setup.label)
    case .prefix(let setup): parts += setup.parts
    case .speed(let form): parts.append(form.rawValue)
    case .curve, nil: break
    }
    if let variation { parts.append(variation.label) }
    if seed != 42 { parts.append("seed \(seed)") }
    return parts.joined(separator: ", ")
  }

  private var curveLabel: String {
    var label = "\(policy) curve"
    if place.unit == .bytes { label += " in bytes" }
    if case .curve(let rate) = variant, rate != 1 {
      label += String(printing: ", %g %% of the keys", rate * 100)
    }
    if let variation { label += ", \(variation.label)" }
    if seed != 42 { label += ", seed \(seed)" }
    return label
  }
}

extension CellKey.Variant {
  /// The variant of a form; nil for a policy alone.
  package init?(_ form: Measurement.Form?) {
    guard let form, form != .policy else { return nil }
    self = .speed(form)
  }
}

extension Measurement {
  /// True for a run that counts the same whenever it is repeated: several threads do not, nor does a policy that is trained
  /// beside the requests.
  package var isDeterministic: Bool {
    if learning?.isBeside == true { return false }
    return replay.map { $0.threads == 1 && $0.system == nil } ?? true
  }
}
