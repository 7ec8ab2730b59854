/// LHD's model: how many hits an object can still expect for the time it will go on using its space,
/// by its class and its age.
///
/// Hits and evictions are counted by class and age. At intervals the counts decay, and the density of
/// each age is computed anew: the hits at this age and later ones, divided by the lifetimes that the
/// same events have left. Ages are numbers of requests, shifted right by ``shift``; the last age stands
/// for everything older.
@usableFromInline
struct HitDensities: ~Copyable {
  /// Classes by the ages of an object's last two hits, about logarithmic.
  @inlinable static var classes: Int { 16 }
  /// The factor that each reconfiguration applies to the counts.
  static var decay: Float { 0.9 }
  /// An age is to be this part of the number of objects, over the number of ages.
  static var tolerance: Float { 0.01 }

  /// Each indexed by class × ages + age. They stand first: with the thread sanitizer, Swift 6.3 does not
  /// compile changes through a pointer of a noncopyable structure that begins with a number.
  @usableFromInline let hits: UnsafeMutablePointer<Float>
  @usableFromInline let evictions: UnsafeMutablePointer<Float>
  @usableFromInline let densities: UnsafeMutablePointer<Float>
  @usableFromInline let ages: Int
  @usableFromInline var shift: Int
  /// The number of times that the densities were computed.
  @usableFromInline var reconfigurations = 0
  /// Ages below this may have counts; the last always may.
  @usableFromInline var counted = 0
  /// Ages below this may have densities.
  private var dense = 0
  private var objects: Float = 0
  private var objectsMass: Float = 0

  init(ages: Int, requestsPerAge: Int) {
    self.ages = ages
    shift = requestsPerAge.bitWidth - 1 - requestsPerAge.leadingZeroBitCount
    hits = HitDensities.zeros(ages)
    evictions = HitDensities.zeros(ages)
    densities = HitDensities.zeros(ages)
    // Before anything is known: as GDSF, by frequency and recency.
    for number in 0..<HitDensities.classes {
      for age in 0..<ages { densities[number * ages + age] = Float(number + 1) / Float(age + 1) }
    }
    dense = ages - 1
  }

  private static func zeros(_ ages: Int) -> UnsafeMutablePointer<Float> {
    let count = HitDensities.classes * ages
    let values = UnsafeMutablePointer<Float>.allocate(capacity: count)
    values.initialize(repeating: 0, count: count)
    return values
  }

  @inlinable
  deinit {
    hits.deallocate()
    evictions.deallocate()
    densities.deallocate()
  }

  @inlinable @inline(__always)
  var lastAge: Int { ages &- 1 }

  /// The age after that number of requests.
  @inlinable @inline(__always)
  func age(after requests: Int) -> Int { min(requests &>> shift, lastAge) }

  /// The class of an object whose last two hits came at ages of that sum: one less for twice the age.
  @inlinable @inline(__always)
  func classOfAges(sum: Int) -> Int {
    if sum >= ages { return 0 }
    // Times a power of two, the sum has as many bits as the ages; if it is still less, twice that is not.
    let number = max(sum, 1).leadingZeroBitCount &- ages.leadingZeroBitCount
    let more = sum &<< number < ages ? 1 : 0
    return sum == 0 ? HitDensities.classes &- 1 : min(number &+ more, HitDensities.classes &- 1)
  }

  /// The density of an object that counts one, below the last age.
  @inlinable @inline(__always)
  func density(class number: Int, age: Int) -> Float {
    densities[number &* ages &+ age]
  }

  @inlinable @inline(__always)
  mutating func countHit(class number: Int, age: Int) {
    hits[number &* ages &+ age] += 1
    if age >= counted && age < lastAge { counted = age &+ 1 }
  }

  @inlinable @inline(__always)
  mutating func countEviction(class number: Int, age: Int) {
    evictions[number &* ages &+ age] += 1
    if age >= counted && age < lastAge { counted = age &+ 1 }
  }

  /// Computes the densities from what was counted.
  @usableFromInline
  mutating func reconfigure(objects count: Int) {
    for number in 0..<HitDensities.classes {
      decay(hits + number * ages)
      decay(evictions + number * ages)
    }
    adaptShift(objects: count)
    for number in 0..<HitDensities.classes { computeDensities(class: number) }
    dense = highestAge
    reconfigurations += 1
  }

  private func decay(_ counts: UnsafeMutablePointer<Float>) {
    for age in 0..<counted { counts[age] *= HitDensities.decay }
    counts[lastAge] *= HitDensities.decay
  }

  /// No age from here on has a density.
  private var highestAge: Int {
    for number in 0..<HitDensities.classes {
      let last = number * ages + lastAge
      if hits[last] + evictions[last] > 0 { return lastAge }
    }
    return counted
  }

  private mutating func computeDensities(class number: Int) {
    let hits = hits + number * ages
    let evictions = evictions + number * ages
    let densities = densities + number * ages
    let top = highestAge
    if dense > top { (densities + top).update(repeating: 0, count: dense - top) }
    var hitsLater = hits[lastAge]
    var eventsLater = hits[lastAge] + evictions[lastAge]
    var lifetimes = eventsLater
    for age in stride(from: top - 1, through: 0, by: -1) {
      hitsLater += hits[age]
      eventsLater += hits[age] + evictions[age]
      lifetimes += eventsLater
      densities[age] = eventsLater > 1e-5 ? hitsLater / lifetimes : 0
    }
  }

  /// Twice in a run, after five and after 25 reconfigurations, chooses the shift so that the ages fit
  /// the number of objects.
  private mutating func adaptShift(objects count: Int) {
    objects = objects * HitDensities.decay + Float(count)
    objectsMass = objectsMass * HitDensities.decay + 1
    if reconfigurations != 5 && reconfigurations != 25 { return }
    let wanted = objects / objectsMass / (HitDensities.tolerance * Float(ages))
    var newShift = 1
    while Float(1 << newShift) < wanted { newShift += 1 }
    for number in 0..<HitDensities.classes {
      rescale(hits + number * ages, by: newShift - shift)
      rescale(evictions + number * ages, by: newShift - shift)
    }
    counted = counted(rescaledBy: newShift - shift)
    shift = newShift
    objects *= 8
    objectsMass *= 8
  }

  private func counted(rescaledBy change: Int) -> Int {
    change < 0 ? min(counted << -change, lastAge) : (counted + (1 << change) - 1) >> change
  }

  /// Spreads the counts of an age over 2⁻ᶜʰᵃⁿᵍᵉ ages, or adds those of 2ᶜʰᵃⁿᵍᵉ up.
  private func rescale(_ counts: UnsafeMutablePointer<Float>, by change: Int) {
    if change < 0 {
      let parts = 1 << -change
      for age in stride(from: ages / parts, to: counted, by: 1) { counts[lastAge] += counts[age] }
      for age in stride(from: counted(rescaledBy: change) - 1, through: 0, by: -1) {
        counts[age] = counts[age >> -change] / Float(parts)
      }
    } else if change > 0 {
      let parts = 1 << change
      let rescaled = counted(rescaledBy: change)
      for age in 0..<rescaled {
        let summed = age * parts..<min((age + 1) * parts, counted)
        counts[age] = summed.reduce(0) { $0 + counts[$1] }
      }
      for age in rescaled..<counted { counts[age] = 0 }
    }
  }
}

extension HitDensities {
  mutating func visitState(_ state: inout PolicyState) {
    for table in [hits, evictions, densities] {
      state.visit(table, count: HitDensities.classes * ages)
    }
    state.visit(&shift)
    state.visit(&reconfigurations)
    state.visit(&counted)
    state.visit(&dense)
    state.visit(&objects)
    state.visit(&objectsMass)
  }
}
