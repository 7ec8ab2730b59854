import Eviction

/// TinyLFU's frequency sketch as it is defined: counters by their place, halved after a sample.
///
/// A hash's low bits choose a block; its high 20 bits choose one of 32 counters in each of four rows.
/// There are as many blocks as it takes to have 16 counters for each of the most residents there were,
/// a power of two; when they double, each block becomes two equal ones. The doorkeeper has one block of
/// 512 bits for each 64 requests of the sample, and takes its places from a second hash.
struct FrequencySketchModel {
  private var counters: [[UInt64]: Int] = [:]
  private var door: Set<[UInt64]> = []
  private var blocks: UInt64 = 1
  private var doorBlocks: UInt64 = 1
  private var additions = 0
  private var most = 8
  private let samplesPerObject: Int
  private let hasDoorkeeper: Bool
  private let isConservative: Bool

  init(_ parameters: [String: String]) {
    samplesPerObject = parameters["sample"].map { Int($0)! } ?? 10
    hasDoorkeeper = parameters["doorkeeper"] == "true"
    isConservative = parameters["conservative"] == "true"
    growDoor()
  }

  var sample: Int { samplesPerObject * most }

  private func counterPlaces(_ hash: UInt64) -> [[UInt64]] {
    (0..<4).map { row in [hash % blocks, row, (hash >> (44 + 5 * row)) % 32] }
  }

  private func doorPlaces(_ hash: UInt64) -> [[UInt64]] {
    let second = SplitMix64.mix(hash)
    return (0..<4).map { index in [second % doorBlocks, (second >> (28 + 9 * index)) % 512] }
  }

  func frequency(of hash: UInt64) -> Int {
    let counted = counterPlaces(hash).map { counters[$0] ?? 0 }.min()!
    return counted + (hasDoorkeeper && isBehindDoor(hash) ? 1 : 0)
  }

  private func isBehindDoor(_ hash: UInt64) -> Bool {
    doorPlaces(hash).allSatisfy { door.contains($0) }
  }

  mutating func record(_ hash: UInt64) {
    if hasDoorkeeper && !isBehindDoor(hash) {
      for place in doorPlaces(hash) { door.insert(place) }
      additions += 1
    } else {
      let places = counterPlaces(hash)
      let smallest = places.map { counters[$0] ?? 0 }.min()!
      let growing = places.filter {
        let count = counters[$0] ?? 0
        return count < 15 && (count == smallest || !isConservative)
      }
      for place in growing { counters[place, default: 0] += 1 }
      if !growing.isEmpty { additions += 1 }
    }
    ageIfDue()
  }

  private mutating func ageIfDue() {
    if additions < sample { return }
    let odd = counters.values.count { $0 % 2 == 1 }
    counters = counters.mapValues { $0 / 2 }
    door = []
    additions = min(max(0, additions - odd / 4), sample) / 2
  }

  mutating func note(residents: Int) {
    if residents <= most { return }
    most = residents
    while Int(blocks) * 8 < residents {
      for (place, count) in counters { counters[[place[0] + blocks, place[1], place[2]]] = count }
      blocks *= 2
    }
    growDoor()
  }

  mutating func limit(residents: Int) {
    most = min(most, max(residents, 8))
    growDoor()
    ageIfDue()
  }

  private mutating func growDoor() {
    while Int(doorBlocks) * 64 < sample {
      for place in door { door.insert([place[0] + doorBlocks, place[1]]) }
      doorBlocks *= 2
    }
  }
}
