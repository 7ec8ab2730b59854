import CSQLite
import DiskTier
import Foundation
import StoreFaults
import Testing

/// Every call to the disk fails once, in every way, in every operation.
@Suite struct StoreFaultTests {
  /// A way to fail, and whether a store may answer it with a set-aside.
  struct Kind: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var fault: DiskFault
  }

  static let kinds = [
    Kind(testDescription: "I/O error", fault: .fail(errno: EIO, sqlite: SQLITE_IOERR)),
    Kind(testDescription: "full", fault: .fail(errno: ENOSPC, sqlite: SQLITE_FULL)),
    Kind(testDescription: "busy", fault: .fail(errno: EBUSY, sqlite: SQLITE_BUSY)),
  ]

  static let steps: [StoreStep] = [
    .put(key: 1, value: inlineValue), .put(key: 1, value: fileValue + 9),
    .put(key: 3, value: fileValue), .put(key: 3, value: inlineValue), .put(key: 8, value: 3),
    .put(key: 8, value: fileValue), .remove(keys: [1]), .remove(keys: [0, 1, 2, 3]), .removeAll,
    .get(key: 3), .get(key: 2), .flush,
  ]

  private let folder = TemporaryFolder()
  private let before = [0: 0, 1: fileValue, 2: inlineValue, 3: 3]

  private func options(_ durability: Durability) -> StoreOptions {
    .testing {
      $0.durability = durability
      $0.touchesPerFlush = 1
      $0.reconcilesOnOpen = false
      $0.logLimit = 1 << 16
    }
  }

  private func fill(_ store: HybridStore) throws {
    for (key, value) in before.sorted(by: { $0.key < $1.key }) {
      try StoreStep.put(key: key, value: value).run(on: store)
    }
  }

  /// A store that has crashed in no way holds what it held before a failed step, or what it holds after.
  @Test(arguments: kinds, [Durability.processCrash, .powerLoss])
  func aFailedOperationLosesNothing(kind: Kind, durability: Durability) throws {
    for step in Self.steps {
      var number = 0
      while true {
        let place = TemporaryFolder()
        let disk = FaultyDisk()
        let store = try HybridStore(
          path: place.store, options: options(durability), environment: disk.environment)
        try fill(store)
        disk.restart { [number] count, _ in count == number ? kind.fault : nil }
        let error = #expect(throws: Never?.self) { try step.run(on: store) }
        _ = error
        let isOver = disk.count <= number
        disk.restart()
        var expected = ExpectedValues(values: before)
        expected.underWay = step
        let comment = Comment("\(step.line), call \(number)")
        #expect(try expected.problems(of: store, keys: 10) == [], comment)
        #expect(store.statistics.setAsides == 0, comment)
        try store.close()
        if isOver { break }
        number += 1
      }
    }
  }
}
