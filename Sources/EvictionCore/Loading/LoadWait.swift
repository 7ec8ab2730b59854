import Synchronization

/// A wait of loads for another one. It is known until it ends, so that a circle is found before it closes.
struct LoadWait {
  private let number: Int
  /// The load that waits, and those within which it was wanted.
  private let waiting: [any Load]
  private let awaited: any Load

  fileprivate struct Waits {
    /// The waits of each load, by number.
    var all: [ObjectIdentifier: [Int: LoadWait]] = [:]
    var latest = 0
  }

  private static let waits = Mutex(Waits())

  /// The caller is about to wait for `awaited`.
  ///
  /// - Returns: The wait; nil if the caller is part of no load.
  /// - Throws: ``LoadError/circle(keys:)`` if `awaited` waits for a load that the caller is part of.
  static func begin(for awaited: any Load) throws(LoadError) -> LoadWait? {
    let waiting = LoadUnderWay.all
    if waiting.isEmpty { return nil }
    let (wait, circle) = waits.withLock { waits -> (LoadWait?, [any Load]) in
      if let circle = waits.circle(of: waiting, awaiting: awaited) { return (nil, circle) }
      waits.latest += 1
      let wait = LoadWait(number: waits.latest, waiting: waiting, awaited: awaited)
      for load in waiting { waits.all[ObjectIdentifier(load), default: [:]][wait.number] = wait }
      return (wait, [])
    }
    if !circle.isEmpty { throw .circle(keys: circle.map(\.keyText)) }
    return wait
  }

  /// The caller waits no more.
  func end() {
    LoadWait.waits.withLock { waits in
      for load in waiting.map({ ObjectIdentifier($0) }) {
        waits.all[load]?[number] = nil
        if waits.all[load]?.isEmpty == true { waits.all[load] = nil }
      }
    }
  }
}

extension LoadWait.Waits {
  /// A load that was found, the place of the one that waits for it, and the loads within that one which do.
  private struct Step {
    let load: any Load
    var last: Int?
    var between: ArraySlice<any Load> = []
  }

  /// Returns the shortest circle that there is once `waiting` wait for `awaited`; nil for none.
  fileprivate func circle(of waiting: [any Load], awaiting awaited: any Load) -> [any Load]? {
    var steps = [Step(load: awaited)]
    var found: Set = [ObjectIdentifier(awaited)]
    var place = 0
    while place < steps.count {
      let load = steps[place].load
      if let end = waiting.firstIndex(where: { $0 === load }) {
        var circle: [any Load] = []
        var next: Int? = place
        while let step = next.map({ steps[$0] }) {
          circle += [step.load] + step.between
          next = step.last
        }
        return (circle + waiting[...end]).reversed()
      }
      for wait in all[ObjectIdentifier(load), default: [:]].values
      where !wait.awaited.isOver && found.insert(ObjectIdentifier(wait.awaited)).inserted {
        let inner = wait.waiting.prefix { $0 !== load }
        steps.append(Step(load: wait.awaited, last: place, between: inner))
      }
      place += 1
    }
    return nil
  }
}
