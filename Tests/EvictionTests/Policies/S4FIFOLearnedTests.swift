import Eviction
import EvictionTesting
import Parameters
import Testing

@Suite("S4-FIFO that learns")
struct S4FIFOLearnedTests {
  @Test("The learning ends, and with it its memory, where removals keep the cache from filling")
  func removalsEndTheLearning() throws {
    // Four capacities of 5 objects are removed before the first eviction.
    let operations = (0..<20).flatMap {
      [CacheOperation.request(key: $0, size: 1), .remove(key: $0)]
    }
    #expect(try left(5, operations) == (0..<20).flatMap { [20 - $0, 19 - $0] })
  }

  @Test("What removeAll empties counts, too")
  func emptyingEndsTheLearning() throws {
    let operations: [CacheOperation] = [
      .request(key: 0, size: 1), .request(key: 1, size: 1), .removeAll, .removeAll,
    ]
    #expect(try left(5, operations) == [20, 20, 18, 18])
  }

  /// What is left of the learning after each operation.
  private func left(_ capacity: Int, _ operations: [CacheOperation]) throws -> [Int] {
    let workload = Workload(capacity: capacity, keys: 20, operations: operations)
    let arguments = try Specification(parsing: "s4fifo-learned").arguments(
      for: S4FIFOLearned.information.parameters)
    var driver = try PolicyDriver<S4FIFOLearned>(workload, arguments: arguments)
    var left: [Int] = []
    for index in operations.indices {
      driver.perform(index)
      driver.policy.showInternals { if $0 == "left" { left.append(Int($1)) } }
    }
    return left
  }
}
