import CacheReplay
import Testing

/// The record of the machine shows what is planted in it.
@Suite struct MachineRecordTests {
  private static let millisecond: UInt64 = 1_000_000

  @Test func pauseOfFiveMillisecondsInAHundredIsAHiccup() throws {
    var hiccups = Hiccups()
    for _ in 0..<10 {
      for _ in 0..<94 { hiccups.note(nanoseconds: Self.millisecond) }
      hiccups.note(nanoseconds: 6 * Self.millisecond)
    }
    #expect(hiccups.longest == 5 * Self.millisecond)
    #expect(hiccups.lost == 50 * Self.millisecond)
    var record = MachineRecord()
    record.add([ClientTime(start: 0, end: 1_000 * Self.millisecond, waited: 0)], seconds: 1)
    record.hiccups = hiccups
    let report = record.report(threads: 1, cores: 2)
    #expect(report.hiccups == 0.05 && report.longestHiccup == 5_000_000)
    #expect(report.overlap == nil && report.waiting == 0)
  }

  @Test func threadsThatNeverOverlapDoNot() throws {
    // One after the other, and by turns on one processor.
    let after = [
      ClientTime(start: 0, end: 500 * Self.millisecond, waited: 0),
      ClientTime(start: 500 * Self.millisecond, end: 1_000 * Self.millisecond, waited: 0),
    ]
    let inTurns = [
      ClientTime(start: 0, end: 1_000 * Self.millisecond, waited: 500 * Self.millisecond),
      ClientTime(start: 0, end: 1_000 * Self.millisecond, waited: 500 * Self.millisecond),
    ]
    for (clients, waiting) in [(after, 0), (inTurns, 0.5)] {
      var record = MachineRecord()
      record.add(clients, seconds: 1)
      let report = record.report(threads: 2, cores: 2)
      #expect(report.overlap == 0 && report.waiting == waiting)
    }
  }

  @Test func threadsThatRunTogetherOverlap() {
    let clients = [
      ClientTime(start: 0, end: 990 * Self.millisecond, waited: 0, isPinned: true),
      ClientTime(
        start: 10 * Self.millisecond, end: 1_000 * Self.millisecond, waited: 20 * Self.millisecond,
        isPinned: true),
    ]
    var record = MachineRecord()
    for _ in 0..<3 {
      var pass = MachineRecord()
      pass.add(clients, seconds: 1)
      pass.frequencies = [2e9, 3e9]
      pass.stolenSeconds = 0.5
      pass.watchedSeconds = 1
      record.add(pass)
    }
    let report = record.report(threads: 2, cores: 2)
    #expect(abs((report.overlap ?? 0) - 0.96) < 1e-9)
    #expect(report.pinned && report.seconds == 3 && report.steal == 0.25)
    #expect(report.frequency == 2e9...3e9)
  }

  @Test func whatTheSystemDoesNotSayIsNotKnown() {
    var record = MachineRecord()
    record.add([ClientTime(start: 0, end: 10, waited: nil)], seconds: 1e-8)
    let report = record.report(threads: 1)
    #expect(report.waiting == nil && report.hiccups == nil && report.steal == nil)
    #expect(report.frequency == nil)
  }
}
