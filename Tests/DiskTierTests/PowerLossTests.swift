import DiskTier
import Eviction
import Foundation
import StoreFaults
import Synchronization
import TestConditions
import Testing

/// The power goes before any call to the disk, and what was not synced may be lost.
///
/// The calls of a script are recorded; each prefix of them is played on a model of a disk, and what the model
/// leaves is opened as a store.
@Suite struct PowerLossTests {
  private struct Recording {
    var calls: [DiskCall] = []
    /// After how many calls each step was begun and acknowledged.
    var steps: [(step: StoreStep, begun: Int, done: Int)] = []
  }

  private static let steps: [StoreStep] = [
    .put(key: 0, value: 0), .put(key: 1, value: fileValue), .put(key: 0, value: fileValue + 9),
    .put(key: 1, value: inlineValue), .remove(keys: [0]), .put(key: 2, value: fileValue + 18),
    .put(key: 3, value: 3), .remove(keys: [2, 3]), .put(key: 4, value: fileValue + 27), .flush,
    .removeAll, .put(key: 4, value: fileValue + 36), .put(key: 5, value: 12),
  ]

  /// Records `steps` on a new store; a small log makes it checkpoint several times.
  private func record(_ durability: Durability, in folder: TemporaryFolder) throws -> Recording {
    // One thread works at a time: a store's calls come under its lock, and the background is quiet.
    nonisolated(unsafe) var recording = Recording()
    let disk = FaultyDisk { _, call in
      if !["read", "lock", "look"].contains(call.name) { recording.calls.append(call) }
      return nil
    }
    let store = try HybridStore(
      path: folder.store,
      options: .testing {
        $0.durability = durability
        $0.reconcilesOnOpen = false
        $0.logLimit = 1 << 16
      }, environment: disk.environment)
    for step in Self.steps {
      let begun = recording.calls.count
      try step.run(on: store)
      store.waitForBackgroundWork()
      recording.steps.append((step, begun, recording.calls.count))
    }
    disk.restart()
    return recording
  }

  /// Returns the values that must be there after the first `count` calls.
  private func expected(_ recording: Recording, after count: Int) -> ExpectedValues {
    var expected = ExpectedValues()
    for (step, begun, done) in recording.steps {
      if done <= count {
        step.apply(to: &expected.values)
      } else if begun < count {
        expected.underWay = step
      }
    }
    return expected
  }

  private func losses(_ prefix: Int) -> [DiskModel.Loss] {
    let chances = (0..<(isThorough ? 20 : 1)).map { UInt64(prefix * 100 + $0) }
    return [.everything] + chances.map { .anything(seed: $0) } + (isThorough ? [.nothing] : [])
  }

  @Test func whatIsAcknowledgedSurvivesEveryPowerLoss() throws {
    let place = TemporaryFolder()
    let recording = try record(.powerLoss, in: place)
    var model = DiskModel(folder: place.store)
    let firstDone = recording.steps[0].begun
    for prefix in 0...recording.calls.count {
      if prefix >= firstDone {
        for loss in losses(prefix) {
          let folder = TemporaryFolder()
          try model.write(to: folder.store, losing: loss)
          let store = try HybridStore(path: folder.store, options: .testing())
          store.waitForBackgroundWork()
          let comment = Comment(rawValue: "after \(prefix) calls, losing \(loss)")
          let problems = try expected(recording, after: prefix).problems(of: store, keys: 6)
          #expect(problems == [], comment)
          #expect(store.statistics.setAsides == 0, comment)
          try store.close()
        }
      }
      if prefix < recording.calls.count { model.apply(recording.calls[prefix]) }
    }
  }

  /// Less is promised below: still no value is ever torn, and the database stays readable.
  @Test func withoutThePromiseNoValueIsTorn() throws {
    let place = TemporaryFolder()
    let recording = try record(.processCrash, in: place)
    var model = DiskModel(folder: place.store)
    var lost = 0
    for (prefix, call) in recording.calls.enumerated() {
      if prefix % 3 == 0 {
        let folder = TemporaryFolder()
        try model.write(to: folder.store, losing: .anything(seed: UInt64(prefix)))
        let store = try HybridStore(path: folder.store, options: .testing())
        store.waitForBackgroundWork()
        let held = try ExpectedValues.held(by: store, keys: 6)
        #expect(held.problems == [], "after \(prefix) calls")
        #expect(try store.check(repair: false).isClean, "after \(prefix) calls")
        if held.values != expected(recording, after: prefix).values { lost += 1 }
        try store.close()
      }
      model.apply(call)
    }
    #expect(lost > 0, "a disk that loses nothing tests nothing")
  }

  /// The model itself: what it keeps is what was synced.
  @Test func theModelKeepsWhatWasSynced() throws {
    let folder = TemporaryFolder()
    var model = DiskModel(folder: "/s")
    model.apply(.open(path: "/s/a", creates: true))
    model.apply(.write(path: "/s/a", bytes: [1, 2, 3], offset: 0))
    model.apply(.sync(path: "/s/a"))
    try model.write(to: folder.store, losing: .everything)
    #expect(!folder.exists("a"), "its name was not synced")
    model.apply(.sync(path: "/s"))
    model.apply(.write(path: "/s/a", bytes: [9], offset: 1))
    model.apply(.rename(path: "/s/a", newPath: "/s/b"))
    try model.write(to: folder.store, losing: .everything)
    #expect(try folder.read("a") == [1, 2, 3])
    #expect(!folder.exists("b"))
    let all = TemporaryFolder()
    try model.write(to: all.store, losing: .nothing)
    #expect(try all.read("b") == [1, 9, 3])
    #expect(!all.exists("a"))
  }
}
