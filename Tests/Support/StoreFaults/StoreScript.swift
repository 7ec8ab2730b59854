import DiskTier

/// One operation of a script against a store, with values that are made of their number.
package enum StoreStep: Equatable, Sendable {
  case put(key: Int, value: Int)
  case remove(keys: [Int])
  case removeAll
  case get(key: Int)
  case flush

  /// The line that stands for the step in a log.
  package var line: String {
    switch self {
    case .put(let key, let value): "put \(key) \(value)"
    case .remove(let keys): "remove " + keys.map(String.init).joined(separator: " ")
    case .removeAll: "removeAll"
    case .get(let key): "get \(key)"
    case .flush: "flush"
    }
  }

  /// The step of a log's line; nil if the line is cut off or none.
  package init?(line: some StringProtocol) {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch (words.first, numbers.count) {
    case ("put", 2): self = .put(key: numbers[0], value: numbers[1])
    case ("remove", 1...): self = .remove(keys: numbers)
    case ("removeAll", 0): self = .removeAll
    case ("get", 1): self = .get(key: numbers[0])
    case ("flush", 0): self = .flush
    default: return nil
    }
  }

  /// The step's effect on what the store should hold: values' numbers by key.
  package func apply(to values: inout [Int: Int]) {
    switch self {
    case .put(let key, let value): values[key] = value
    case .remove(let keys): for key in keys { values[key] = nil }
    case .removeAll: values.removeAll()
    case .get, .flush: break
    }
  }

  package func run(on store: HybridStore) throws(StoreError) {
    switch self {
    case .put(let key, let value):
      try store.put(
        StoreStep.bytes(value), forKey: StoreStep.name(key), extended: StoreStep.extended(value),
        cost: value)
    case .remove(let keys): try store.remove(keys.map(StoreStep.name))
    case .removeAll: try store.removeAll()
    case .get(let key): _ = try store.get(StoreStep.name(key), touching: true)
    case .flush: try store.flush()
    }
  }

  /// The inline threshold that scripts are made for.
  package static let threshold = 2_000

  package static func name(_ key: Int) -> String { "key \(key)" }

  /// The bytes of a value: a third of them in files of their own, some empty, no two alike.
  package static func bytes(_ value: Int) -> [UInt8] {
    let sizes = [100, 0, 1_500, threshold, threshold + 1, 9_000, 40, 3_000, 1]
    var numbers = SystematicBytes(state: UInt64(truncatingIfNeeded: value))
    let size = sizes[value % sizes.count]
    return (0..<size).map { _ in numbers.next() }
  }

  static func extended(_ value: Int) -> [UInt8]? {
    value % 3 == 0 ? Array("\(value)".utf8) : nil
  }

  /// Steps as a cache would take them: mostly puts and gets over a few keys.
  package static func random(
    _ count: Int, keys: Int, firstValue: Int, using generator: inout some RandomNumberGenerator
  ) -> [StoreStep] {
    (0..<count).map { number in
      let key = Int.random(in: 0..<keys, using: &generator)
      switch Int.random(in: 0..<100, using: &generator) {
      case 0..<60: return .put(key: key, value: firstValue + number)
      case 60..<75: return .get(key: key)
      case 75..<85: return .remove(keys: [key])
      case 85..<95:
        return .remove(keys: (0..<5).map { _ in Int.random(in: 0..<keys, using: &generator) })
      case 95..<97: return .removeAll
      default: return .flush
      }
    }
  }
}

/// Bytes that depend on all bits of a number.
private struct SystematicBytes {
  var state: UInt64

  mutating func next() -> UInt8 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 56)
  }
}
