import EvictionCore
import Parameters

/// Mithril: objects that were missed as often as this one, each time near it.
package final class Mithril: Prefetcher {
  override package class var information: PrefetcherInformation {
    PrefetcherInformation(
      name: "mithril", summary: "objects missed as often as this one, each time near it",
      paper: "J. Yang, R. Karimi, T. Sæmundsson, A. Wildani and Y. Vigfusson, “Mithril: mining "
        + "sporadic associations for cache prefetching”, SoCC 2017; the tables are those of "
        + "Mithril.c in libCacheSim, commit 225b07e.",
      idea: "Objects that are requested neither once nor often, but together, are missed together. "
        + "A few timestamps of each are enough to find them.",
      decision: "An object is recorded at what rec-trigger names, with the number of requests so "
        + "far, modulo 2¹⁵. Once it was recorded min-support times, it moves from the recording "
        + "table to the mining table, where it stays for up to max-support times; it is dropped at "
        + "the next. When mining-threshold / min-support objects are there (if min-support is 1, "
        + "more than an eighth of mining-threshold), they are sorted by their first timestamps, and each is compared with those behind it whose first timestamp "
        + "is at most range larger and whose number of timestamps differs by at most confidence. "
        + "Both are associated if at most confidence of their timestamps are more than range "
        + "apart, and if the other is the first that was compared, or two timestamps are "
        + "neighbours. The table is then empty. After a request the objects are fetched that were "
        + "associated with it, the latest pf-list-size. Those that would leave unused stay "
        + "cycle-time − 1 times.",
      complexity: "O(1) per request; a mining sorts its n objects and compares each with those "
        + "within range, O(n²) at most. Memory: as its limits say, and some 60 bytes for each "
        + "object in a table.",
      differences: "As libCacheSim (commit 225b07e), but that an object that stays enters again "
        + "after the newcomer, there before. As there, the last timestamps of the shorter list "
        + "are not compared, nor each fourth (with max-support above 8 it compares others in their "
        + "place), and a full prefetch table replaces none but its first 1 998 objects. range is "
        + "lookahead-range there, memory max-metadata-size and block block-size, of 1 by default, "
        + "which gives the recording table one row in a cache of 1 000 objects; here 4 KiB; in a "
        + "sized run the capacity counts bytes already. As there, what is fetched has the size of "
        + "its latest request. "
        + "sequential-type=1 is left out: it fetches the next block, as obl does.",
      parameters: [
        Parameter(
          "range", .integer(in: 1...100), default: .integer(20),
          help: "the largest distance of two requests that belong together"),
        Parameter(
          "max-support", .integer(in: 1...1000), default: .integer(8),
          help: "the timestamps at which an object is too frequent; at least min-support"),
        Parameter(
          "min-support", .integer(in: 1...1000), default: .integer(2),
          help: "the timestamps at which an object can be mined"),
        Parameter(
          "confidence", .integer(in: 1...100), default: .integer(1),
          help: "the errors that an association may have"),
        Parameter(
          "pf-list-size", .integer(in: 1...100), default: .integer(2),
          help: "the objects that are fetched after one"),
        Parameter(
          "rec-trigger", .choice(Trigger.allCases.map(\.rawValue)), default: .text("miss"),
          help: "the events at which an object is recorded"),
        Parameter(
          "cycle-time", .integer(in: 1...100), default: .integer(2),
          help: "the times that an unused object must be evicted to leave"),
        Parameter(
          "mining-threshold", .integer(in: 1...1_000_000_000), default: .integer(5120),
          help: "the timestamps at which the mining begins"),
        Parameter(
          "memory", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
          help: "the memory of all tables up to which the prefetch table grows, as a share of the "
            + "cached objects' bytes"),
        Parameter(
          "block", .bytes(in: 1...(1 << 30)), default: .integer(4 << 10),
          help: "the bytes that an object is taken to have where objects count one"),
      ],
      readsKeys: false)
  }

  /// The events at which objects are recorded.
  private enum Trigger: String, CaseIterable {
    case miss
    case evict
    case both = "miss_evict"
    case request = "each_req"
  }

  /// An object with its timestamps. A row of the recording table without any is empty.
  private struct Row {
    var slot: Slot = 0
    var times: [UInt16] = []
  }

  private enum Place {
    case recording(Int)
    case mining(Int)
  }

  private let range: Int
  private let maxSupport: Int
  private let minSupport: Int
  private let confidence: Int
  private let listSize: Int
  private let trigger: Trigger
  private let cycleTime: Int
  private let recordingLimit: Int
  private let miningLimit: Int
  private let associationLimit: Int

  /// The requests before this one.
  private var time = -1
  private var places: [Slot: Place] = [:]
  /// A ring, made as it is filled.
  private var recording: [Row] = []
  /// The row of the ring that is written next, which is empty.
  private var current = 0
  private var mining: [Row] = []
  private var associations: [(first: Slot, others: [Slot])] = []
  private var associationRows: [Slot: Int] = [:]
  /// The row of a full table that is replaced next.
  private var oldest = 0
  /// The evictions of unused objects that entered again.
  private var evictions: [Slot: Int] = [:]

  /// The rows of a part of the prefetch table, which grows by such parts. Two of the first one are never used.
  private static let part = 2000

  /// Takes the bounds from the parameters.
  package required init(_ configuration: PrefetcherConfiguration) {
    let arguments = configuration.arguments
    range = arguments.integer("range")
    minSupport = arguments.integer("min-support")
    maxSupport = max(minSupport, arguments.integer("max-support"))
    confidence = arguments.integer("confidence")
    listSize = arguments.integer("pf-list-size")
    cycleTime = arguments.integer("cycle-time")
    guard let trigger = Trigger(rawValue: arguments.text("rec-trigger")) else {
      preconditionFailure("the range names the triggers")
    }
    self.trigger = trigger
    let threshold = arguments.integer("mining-threshold")
    miningLimit = max(1, minSupport == 1 ? threshold / 8 + 1 : threshold / minSupport)

    let bytes = configuration.bytes
    let rows = Fraction(1, 50).floor(of: bytes) / ((minSupport + 1) / 2 * 2 + 12)
    recordingLimit = rows - 1
    let memory = arguments.fraction("memory").floor(of: bytes)
    let partBytes = Mithril.part * (listSize * 8 + 12)
    var taken = (maxSupport * 2 + 12) * (threshold / minSupport) + partBytes
    taken += memory / (Mithril.part * listSize) * 8
    if maxSupport > 1 { taken += (((minSupport + 3) / 4 + 1) * 8 + 4) * rows }
    associationLimit = Mithril.part * (1 + max(0, memory - 1 - taken) / partBytes) - 2
    super.init(configuration)
  }

  override package func record(_ slot: Slot, isHit: Bool) {
    time += 1
    evictions[slot] = nil
    switch trigger {
    case .request: note(slot)
    case .miss, .both: if !isHit { note(slot) }
    case .evict: break
    }
  }

  override package func recordEviction(of slot: Slot, isUnused: Bool) -> Bool {
    if isUnused {
      let count = evictions[slot, default: 0] + 1
      evictions[slot] = count < cycleTime ? count : nil
      if count < cycleTime { return true }
    }
    if trigger == .evict || trigger == .both { note(slot) }
    return false
  }

  override package func propose(after slot: Slot, to proposals: inout [Slot]) {
    if let row = associationRows[slot] { proposals += associations[row].others }
  }

  /// Records the object, and mines if enough are there.
  private func note(_ slot: Slot) {
    let now = UInt16(time & 0x7FFF)
    switch places[slot] {
    case nil:
      if minSupport == 1 { beginMining(Row(slot: slot, times: [now])) } else { enter(slot, now) }
    case .recording(let row):
      recording[row].times.append(now)
      if recording[row].times.count == minSupport { promote(row) }
    case .mining(let row):
      if mining[row].times.count == maxSupport { drop(row) } else { mining[row].times.append(now) }
    }
    if mining.count >= miningLimit { mine() }
  }

  /// Writes a row of the ring, and empties the next.
  private func enter(_ slot: Slot, _ now: UInt16) {
    if recordingLimit < 1 { return }
    let row = Row(slot: slot, times: [now])
    if current == recording.count { recording.append(row) } else { recording[current] = row }
    places[slot] = .recording(current)
    current = (current + 1) % recordingLimit
    if current < recording.count && !recording[current].times.isEmpty {
      places[recording[current].slot] = nil
      recording[current] = Row()
    }
  }

  /// Moves a row of the ring to the mining table; the one written last takes its place, if there is one since the ring began
  /// anew.
  private func promote(_ row: Int) {
    beginMining(recording[row])
    if current > 0 {
      current -= 1
      if row != current {
        recording[row] = recording[current]
        places[recording[row].slot] = .recording(row)
      }
      recording[current] = Row()
    } else {
      recording[row] = Row()
    }
  }

  private func beginMining(_ row: Row) {
    places[row.slot] = .mining(mining.count)
    mining.append(row)
  }

  /// Drops an object that is too frequent; the last of the table takes its place.
  private func drop(_ row: Int) {
    places[mining[row].slot] = nil
    let last = mining.removeLast()
    if row < mining.count {
      mining[row] = last
      places[last.slot] = .mining(row)
    }
  }

  /// Associates what was recorded together, and empties the mining table.
  private func mine() {
    for row in mining { places[row.slot] = nil }
    let rows = mining.enumerated().sorted {
      ($0.element.times[0], $0.offset) < ($1.element.times[0], $1.offset)
    }.map(\.element)
    mining.removeAll(keepingCapacity: true)
    for (index, first) in rows.enumerated() {
      var isNearest = true
      for other in rows[(index + 1)...] {
        if Int(other.times[0]) - Int(first.times[0]) > range { break }
        if abs(first.times.count - other.times.count) > confidence { continue }
        if areAssociated(first, other, isNearest: isNearest) {
          associate(first.slot, with: other.slot)
        }
        isNearest = false
      }
    }
  }

  private func areAssociated(_ first: Row, _ other: Row, isNearest: Bool) -> Bool {
    let shorter = min(first.times.count, other.times.count)
    func distance(_ index: Int) -> Int { abs(Int(first.times[index]) - Int(other.times[index])) }
    var isAssociated = isNearest || shorter == 1 && distance(0) == 1
    var errors = 0
    for index in 0..<shorter - 1 where index % 4 != 3 {
      let distance = distance(index)
      if distance > range {
        errors += 1
        if errors > confidence { return false }
      }
      if distance == 1 { isAssociated = true }
    }
    return isAssociated
  }

  /// Notes that `other` is fetched after `first`, in the place of the earliest where the list is full.
  private func associate(_ first: Slot, with other: Slot) {
    if let row = associationRows[first] {
      if associations[row].others.contains(other) { return }
      if associations[row].others.count == listSize { associations[row].others.removeFirst() }
      associations[row].others.append(other)
    } else if associations.count < associationLimit {
      associationRows[first] = associations.count
      associations.append((first, [other]))
    } else {
      associationRows[associations[oldest].first] = nil
      associationRows[first] = oldest
      associations[oldest] = (first, [other])
      oldest = (oldest + 1) % (Mithril.part - 2)
    }
  }
}
