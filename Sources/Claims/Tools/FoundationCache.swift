import Foundation

/// A key of Foundation's cache.
final class NumberKey: NSObject, @unchecked Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  override var hash: Int { number }

  override func isEqual(_ other: Any?) -> Bool { (other as? NumberKey)?.number == number }
}

/// A value of Foundation's cache.
final class NumberValue: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}

/// Foundation's cache.
typealias FoundationCache = NSCache<NumberKey, NumberValue>
