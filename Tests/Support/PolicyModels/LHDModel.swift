import Eviction

/// Hits and evictions are counted by class and age; from time to time they become hit densities, and of
/// a sample the lowest density per size leaves. Counts and densities are single precision.
final class LHDModel: SamplingModel {
  private struct Resident {
    var requested: Int
    var lastAge = 0
    var number = 0
    var explores = false
  }

  private struct Place: Hashable {
    var number: Int
    var age: Int
  }

  private var objects: [Int: Resident] = [:]
  private var doubtful: [Int?] = Array(repeating: nil, count: 8)
  private var nextDoubtful = 0
  private var hits: [Place: Float] = [:]
  private var evictions: [Place: Float] = [:]
  private var densities: [Place: Float]?
  private var victimDensity: Float = 0
  private var shift: Int
  private var intervals = 0
  private var objectsAverage: Float = 0
  private var objectsWeight: Float = 0
  private let sample: Int
  private let interval: Int
  private let ages: Int
  private let explorerShare: String

  override init(_ options: ModelOptions) {
    sample = options.parameters["sample"].map { Int($0)! } ?? 32
    interval = options.parameters["interval"].map { Int($0)! } ?? 1_048_576
    ages = options.parameters["ages"].map { Int($0)! } ?? 20_000
    let age = options.parameters["age"].map { Int($0)! } ?? 1_024
    shift = (0..<63).last { 1 << $0 <= age }!
    explorerShare = options.parameters["explorers"] ?? "0.01"
    super.init(options)
  }

  private func age(_ object: Resident) -> Int {
    min((clock - object.requested) >> shift, ages - 1)
  }

  /// 15 for 0, and one less for each doubling up to the number of ages.
  private func classNumber(sum: Int) -> Int {
    if sum == 0 { return 15 }
    return (0..<15).first { sum << $0 >= ages } ?? 15
  }

  private func density(_ object: Resident, size: Int) -> Float {
    let age = age(object)
    if age == ages - 1 { return -Float.greatestFiniteMagnitude }
    let place = Place(number: object.number, age: age)
    let expected =
      densities.map { $0[place] ?? 0 } ?? Float(object.number + 1) / Float(age + 1)
    return expected / Float(max(size, 1)) + (object.explores ? 1 : 0)
  }

  /// The rest of the explorers' part.
  private var budget: Int {
    var budget = ModelOptions.floor(explorerShare, of: capacity)
    for (key, object) in objects where object.explores { budget -= sizes[key]! }
    return budget
  }

  override func begin() {
    if clock > 1 && (clock - 1) % interval == 0 { reconfigure() }
  }

  override func requested(_ key: Int, isHit: Bool) {
    var object = objects[key] ?? Resident(requested: clock)
    if isHit {
      let age = age(object)
      hits[Place(number: object.number, age: age), default: 0] += 1
      object.number = classNumber(sum: age + object.lastAge)
      object.lastAge = age
      object.requested = clock
      object.explores = false
      objects[key] = object
    }
    let isDrawn = generator.index(below: 32) == 0
    object.explores = isDrawn && budget > 0 && intervals < 50
    objects[key] = object
    if !isHit && !isDrawn && density(object, size: sizes[key]!) < victimDensity {
      doubtful[nextDoubtful % 8] = key
      nextDoubtful += 1
    }
  }

  override func victim() -> Int {
    let draws = intervals > 50 ? sample : min(sample, 8)
    let candidates = (0..<draws).map { _ in draw() } + doubtful.compactMap { $0 }
    var best = candidates[0]
    var lowest = density(objects[best]!, size: sizes[best]!)
    for key in candidates {
      let density = density(objects[key]!, size: sizes[key]!)
      if density < lowest {
        best = key
        lowest = density
      }
    }
    victimDensity = 0.9 * victimDensity + 0.1 * lowest
    let victim = objects[best]!
    evictions[Place(number: victim.number, age: age(victim)), default: 0] += 1
    return best
  }

  override func forget(_ key: Int) {
    super.forget(key)
    objects[key] = nil
    doubtful = doubtful.map { $0 == key ? nil : $0 }
  }

  private func reconfigure() {
    hits = hits.mapValues { $0 * 0.9 }
    evictions = evictions.mapValues { $0 * 0.9 }
    objectsAverage = objectsAverage * 0.9 + Float(array.count)
    objectsWeight = objectsWeight * 0.9 + 1
    if intervals == 5 || intervals == 25 { adaptShift() }
    // Above the oldest age with an event there is nothing to add up.
    var oldest = [Int](repeating: -1, count: 16)
    for place in hits.keys { oldest[place.number] = max(oldest[place.number], place.age) }
    for place in evictions.keys { oldest[place.number] = max(oldest[place.number], place.age) }
    var new: [Place: Float] = [:]
    for number in 0..<16 {
      let last = Place(number: number, age: ages - 1)
      var hitsLater = hits[last] ?? 0
      var eventsLater = hitsLater + (evictions[last] ?? 0)
      var lifetimes = eventsLater
      for age in stride(from: min(oldest[number], ages - 2), through: 0, by: -1) {
        let place = Place(number: number, age: age)
        let hits = hits[place] ?? 0
        let evictions = evictions[place] ?? 0
        hitsLater += hits
        eventsLater += hits + evictions
        lifetimes += eventsLater
        new[place] = eventsLater > 1e-5 ? hitsLater / lifetimes : 0
      }
    }
    densities = new
    intervals += 1
  }

  private func adaptShift() {
    let wanted = objectsAverage / objectsWeight / (0.01 * Float(ages))
    let newShift = (1...).first { Float(1 << $0) >= wanted }!
    hits = rescaled(hits, by: newShift - shift)
    evictions = rescaled(evictions, by: newShift - shift)
    shift = newShift
    objectsAverage *= 8
    objectsWeight *= 8
  }

  /// An age is spread over the finer ones, as far as there are any, or added to a coarser one. What has no
  /// room below the last age goes there.
  private func rescaled(_ counts: [Place: Float], by change: Int) -> [Place: Float] {
    var new: [Place: Float] = [:]
    for (place, count) in counts where place.age == ages - 1 { new[place] = count }
    for (place, count) in counts.sorted(by: { $0.key.age < $1.key.age })
    where place.age < ages - 1 {
      let number = place.number
      if change >= 0 {
        new[Place(number: number, age: place.age >> change), default: 0] += count
        continue
      }
      let parts = 1 << -change
      for part in 0..<parts where place.age * parts + part < ages - 1 {
        new[Place(number: number, age: place.age * parts + part)] = count / Float(parts)
      }
      if place.age >= ages / parts {
        new[Place(number: number, age: ages - 1), default: 0] += count
      }
    }
    return new
  }
}
