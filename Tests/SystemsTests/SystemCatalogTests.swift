import EvictionCore
import Foundation
import Synchronization
import Systems
import Testing

/// Every system, by what all have in common.
@Suite struct SystemCatalogTests {
  static let names = SystemCatalog.all.map { $0.information.name }

  private func system(_ name: String, in folder: TestFolder, capacity: Int) throws
    -> any CacheSystem
  {
    let choice = try SystemChoice(parsing: name)
    var setup = SystemSetup(choice.arguments, capacity: capacity)
    setup.folder = folder.path
    return try choice.system.init(setup)
  }

  @Test func namesAreUniqueWords() {
    #expect(Set(Self.names).count == Self.names.count)
    #expect(Self.names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } })
  }

  @Test func everySystemIsRegistered() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Systems")
    let systems = try FileManager.default.contentsOfDirectory(atPath: folder.path).flatMap { file in
      guard file.hasSuffix(".swift") else { return [Substring]() }
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      return text.matches(of: /final class (\w+): CacheSystem/).map(\.1)
    }
    #expect(Set(systems.map(String.init)) == Set(SystemCatalog.all.map { "\($0)" }))
  }

  @Test(arguments: names)
  func returnsWhatWasSetAndNothingThatWasRemoved(name: String) throws {
    let folder = try TestFolder()
    let system = try system(name, in: folder, capacity: 100)
    for key in 0..<20 as Range<UInt32> {
      #expect(try system.value(forKey: key) == nil)
      try system.set([UInt8(key), 1], forKey: key, cost: 1)
      #expect(try system.value(forKey: key) == [UInt8(key), 1])
    }
    try system.set([9], forKey: 3, cost: 1)
    #expect(try system.value(forKey: 3) == [9])
    try system.remove(3)
    #expect(try system.value(forKey: 3) == nil)
    try system.removeAll()
    #expect(try (0..<20).allSatisfy { try system.value(forKey: $0) == nil })
    try system.finish()
  }

  @Test(arguments: names)
  func isSafeForSeveralThreads(name: String) throws {
    let folder = try TestFolder()
    let system = try system(name, in: folder, capacity: 50)
    let wrong = Calls()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<200 {
        let key = UInt32(random.index(below: 80))
        if let value = try? system.value(forKey: key) {
          if value != [UInt8(key)] { wrong.call() }
        } else {
          try? system.set([UInt8(key)], forKey: key, cost: 1)
        }
      }
    }
    try system.finish()
    #expect(wrong.count == 0)
  }

  @Test func specificationsAreChecked() throws {
    #expect(throws: SystemError.unknown(name: "yycash")) { try SystemChoice(parsing: "yycash") }
    #expect(throws: SystemError.self) { try SystemChoice(parsing: "yycache:memory=2") }
    #expect(try SystemChoice(parsing: "sdwebimage:background=every:5").background == 5)
    #expect(try SystemChoice(parsing: "sdwebimage").background == 100_000)
    #expect(try SystemChoice(parsing: "memorycache").background == 0)
    let own = try SystemChoice(parsing: "memorycache:policy=slru:policy.protected=0.5")
    #expect(own.policy == "slru:protected=0.5")
    let lists = try SystemChoice(parsing: "fsfilecache")
    try lists.check(trace: "t", requests: 20_000, distinctBytes: nil)
    #expect(throws: SystemError.self) {
      try lists.check(trace: "t", requests: 20_001, distinctBytes: nil)
    }
    try SystemChoice(parsing: "fsfilecache:all=true").check(
      trace: "t", requests: 20_001, distinctBytes: nil)
    #expect(throws: SystemError.self) {
      try lists.check(trace: "t", requests: 5, distinctBytes: 2 << 30)
    }
  }

  @Test func clockCallsWhatIsDueOnce() {
    let clock = SystemClock()
    let (often, seldom) = (Calls(), Calls())
    clock.repeat(every: .seconds(1)) { often.call() }
    clock.repeat(every: .seconds(10)) { seldom.call() }
    clock.advance(to: 999_999_999)
    #expect(often.count == 0)
    clock.advance(to: 1_000_000_000)
    #expect(often.count == 1)
    // Late by several turns, which nobody makes up for.
    clock.advance(to: 5_500_000_000)
    #expect(often.count == 2)
    clock.advance(to: 6_000_000_000)
    #expect(often.count == 3 && seldom.count == 0)
    clock.advance(to: 2_000_000_000)
    #expect(clock.now == 6_000_000_000 && often.count == 3)
    clock.advance(to: 10_000_000_000)
    #expect(often.count == 4 && seldom.count == 1)
  }
}
