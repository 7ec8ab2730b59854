/// A load, whatever its key and its value.
protocol Load: AnyObject, Sendable {
  /// The key, as errors print it.
  var keyText: String { get }
  var isOver: Bool { get }
}

/// A load that the current task, or the thread of a caller that blocks, is part of; and the loads within which
/// it was wanted. A task is part of the loads of the one that started it.
final class LoadUnderWay: Sendable {
  /// Nil outside of loads.
  @TaskLocal static var innermost: LoadUnderWay?

  /// The number of times that a load may run within itself, so that one which never ends throws before the
  /// stack does.
  static let repetitionLimit = 100

  let load: any Load
  private let outer: LoadUnderWay?
  private let repetitions: Int
  private let depth: Int

  private init(_ load: any Load, within outer: LoadUnderWay?, repetitions: Int = 0) {
    self.load = load
    self.outer = outer
    self.repetitions = repetitions
    depth = 1 + (outer?.depth ?? 0)
  }

  /// The loads from the innermost on, without those that are over.
  static var all: [any Load] { chain.map(\.load).filter { !$0.isOver } }

  private static var chain: some Sequence<LoadUnderWay> {
    sequence(state: innermost) { next in
      defer { next = next?.outer }
      return next
    }
  }

  /// Returns true if the caller is part of `load`.
  static func includes(_ load: any Load) -> Bool { chain.contains { $0.load === load } }

  /// The innermost if `load` is run now.
  static func adding(_ load: any Load) -> LoadUnderWay {
    guard let innermost, innermost.depth % 64 == 0 else {
      return LoadUnderWay(load, within: innermost)
    }
    // A task that a load leaves behind may load again, and leave another one behind.
    let rest = chain.filter { !$0.load.isOver }.reversed().reduce(nil) { outer, next in
      LoadUnderWay(next.load, within: outer, repetitions: next.repetitions)
    }
    return LoadUnderWay(load, within: rest)
  }

  /// The innermost if a load of several keys, which are `loads`, is run now.
  static func adding(_ loads: [any Load]) -> LoadUnderWay? {
    loads.reduce(innermost) { outer, load in LoadUnderWay(load, within: outer) }
  }

  /// The innermost if `load`, which the caller is part of, is run within itself.
  static func repeating(_ load: any Load) throws(LoadError) -> LoadUnderWay {
    let latest = chain.first { $0.load === load }
    let repetitions = 1 + (latest?.repetitions ?? 0)
    if repetitions > repetitionLimit {
      let inner = chain.prefix { $0 !== latest }.map(\.load.keyText)
      throw .circle(keys: [load.keyText] + inner.reversed() + [load.keyText])
    }
    return LoadUnderWay(load, within: innermost, repetitions: repetitions)
  }
}
