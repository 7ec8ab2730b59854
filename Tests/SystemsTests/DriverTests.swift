import Foundation
import Systems
import Testing

/// Programs that drive caches, good and bad: each a line of shell.
@Suite struct DriverTests {
  private func driver(_ script: String, timeout: Duration = .seconds(30)) throws -> Driver {
    try Driver(script, capacity: 3, isSized: false, seed: 1, timeout: timeout)
  }

  private func failure(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing failed"
    } catch { return "\(error)" }
  }

  @Test func answersAreHitsAndTheEndIsAReport() throws {
    let driver = try driver(
      #"""
      read greeting; echo "ready threads=4"
      read batch; echo "$greeting" "$batch" >&2; echo "01.."
      read end; echo "done residents=2 bytes=16 histogram=250:1,1000:1 more=x"
      """#)
    let batch: [Driver.Access] = [
      .get(key: 7, size: 8), .get(key: 7, size: 8), .set(key: 9, size: 8), .remove(key: 7),
    ]
    #expect(driver.threads == 4)
    #expect(try driver.access(batch) == [false, true, nil, nil])
    #expect(
      try driver.finish()
        == .init(residents: 2, bytes: 16, times: [(250, 1), (1_000, 1)]))
  }

  @Test(
    arguments: [
      // Of the second batch; in order, what a removal took out is no hit.
      (threads: 1, first: "0..", answer: "1", problem: ""),
      (threads: 1, first: "0..", answer: "01", problem: ""),
      (threads: 1, first: "0..", answer: "10", problem: ""),
      (threads: 1, first: "0..", answer: "001", problem: "answered “1” to “3:8”"),
      (threads: 1, first: "0..", answer: "0.1", problem: "answered “1” to “1:8”"),
      (threads: 1, first: "0..", answer: ".11", problem: ""),
      (threads: 2, first: "0..", answer: "0.1", problem: ""),
      (threads: 2, first: "0..", answer: "001", problem: "answered “1” to “3:8”"),
      (threads: 2, first: "0..", answer: "0110", problem: ""),
      (threads: 1, first: "0..", answer: "0110", problem: "answered “1” to “4:8”"),
    ])
  func hitsOnKeysThatWereNotSetAreImpossible(
    threads: Int, first: String, answer: String, problem: String
  ) throws {
    let keys: [String: [Driver.Access]] = [
      "1": [.get(key: 1, size: 8)], "01": [.get(key: 5, size: 8), .get(key: 5, size: 8)],
      "10": [.get(key: 2, size: 8), .get(key: 6, size: 8)],
      "001": [.get(key: 5, size: 8), .get(key: 6, size: 8), .get(key: 3, size: 8)],
      "0.1": [.get(key: 5, size: 8), .remove(key: 1), .get(key: 1, size: 8)],
      ".11": [.set(key: 900, size: 8), .get(key: 900, size: 8), .get(key: 1, size: 8)],
      // Of two threads the later get may be the earlier one.
      "0110": [
        .get(key: 5, size: 8), .get(key: 1, size: 8), .get(key: 4, size: 8), .get(key: 4, size: 8),
      ],
    ]
    let text = failure {
      let driver = try driver(
        "read greeting; echo ready threads=\(threads); read batch; echo \(first); read batch; "
          + "echo \(answer)")
      _ = try driver.access([.get(key: 1, size: 8), .set(key: 2, size: 8), .remove(key: 3)])
      _ = try driver.access(try #require(keys[answer]))
    }
    #expect(problem.isEmpty ? text == "nothing failed" : text.contains(problem), "\(text)")
  }

  @Test func aStopEndsADriverThatHangs() throws {
    let folder = try TestFolder()
    let place = "\(folder.path)/driver"
    for script in ["exec sleep 1000", "echo ready; exec sleep 1000"] {
      var asked = 0
      let text = failure {
        let driver = try Driver(
          "trap '' TERM; echo $$ >'\(place)'; read greeting; \(script)", capacity: 3,
          isSized: false, seed: 1,
          isStopped: {
            asked += 1
            return asked > 5
          })
        _ = try driver.access([.get(key: 1, size: 8)])
      }
      #expect(text.hasSuffix("it was stopped"), "\(text)")
      let child = try #require(Int32(String(contentsOfFile: place, encoding: .utf8).dropLast()))
      #expect(!isRunning(child))
    }
  }

  @Test func linesAreAsTheGuideSays() throws {
    let folder = try TestFolder()
    let log = "\(folder.path)/log"
    let driver = try driver(
      "while read line; do echo \"$line\" >>'\(log)'; "
        + "case $line in evict*) echo ready;; access*) echo 0.;; *) echo done;; esac; done")
    _ = try driver.access([.get(key: 5, size: 8), .remove(key: 6)])
    #expect(try driver.finish() == .init())
    #expect(
      try String(contentsOfFile: log, encoding: .utf8)
        == "evictionlab-driver 1 capacity=3 unit=objects seed=1\naccess 5:8 -6\nend\n")
  }

  @Test func deathIsToldWithTheLastComplaints() {
    let text = failure { _ = try driver("echo one >&2; echo two >&2; exit 3") }
    #expect(text.hasSuffix("it ended too early, with code 3; it said: one | two"))
    let later = failure {
      let driver = try driver("read greeting; echo ready; read batch; exit 4")
      _ = try driver.access([.get(key: 1, size: 8)])
    }
    #expect(later.hasSuffix("it ended too early, with code 4"))
    #expect(
      failure { _ = try driver("/no/such/program") }.contains("ended too early, with code 127"))
    #expect(failure { _ = try driver("kill -9 $$") }.hasSuffix("it ended too early, by signal 9"))
  }

  @Test func hangIsEnded() throws {
    let start = ContinuousClock.now
    let text = failure {
      let driver = try driver("read greeting; echo ready; exec sleep 1000", timeout: .seconds(1))
      _ = try driver.access([.get(key: 1, size: 8)])
    }
    #expect(text.contains("it did not answer within 1.0 seconds"))
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func childrenEndWithTheirDriver() throws {
    let folder = try TestFolder()
    let place = "\(folder.path)/child"
    let server =
      "sleep 1000 </dev/null >/dev/null 2>&1 & echo $! >'\(place)'; "
      + "read greeting; echo ready; read batch"
    for (ending, problem) in [("exit 5", "with code 5"), ("wait", "did not answer")] {
      let text = failure {
        let driver = try driver("\(server); \(ending)", timeout: .seconds(1))
        _ = try driver.access([.get(key: 1, size: 8)])
      }
      #expect(text.contains(problem), "\(text)")
      let child = try #require(Int32(String(contentsOfFile: place, encoding: .utf8).dropLast()))
      for _ in 0..<1_000 where isRunning(child) { usleep(5_000) }
      #expect(!isRunning(child), "\(ending) leaves a child")
    }
  }

  #if os(Linux)
    @Test func childInAGroupOfItsOwnIsToldOf() {
      let text = failure {
        _ = try driver("setsid sleep 60 </dev/null >/dev/null 2>&1 & read greeting; exit 5")
      }
      #expect(text.hasSuffix("it ended too early, and a program that it started runs on"))
    }
  #endif

  /// False for a process that ended, though its parent may not have noticed.
  private func isRunning(_ process: Int32) -> Bool {
    guard let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return false
    }
    return !state.contains(") Z ")
  }

  @Test(
    arguments: [
      ("hello", "answered “hello” to the greeting, not “ready”"),
      ("ready threads=0", "declared no threads"),
      ("ready threads=x", "reported threads=x, which is no count"),
      ("ready; read batch; echo 2", "answered “2” to “1:8”; give 1, 0 or ."),
      ("ready; read batch; echo .", "answered “.” to “1:8”; give 1, 0 or ."),
      ("ready; read batch; echo", "answered 0 characters to 1 accesses"),
      ("ready; read batch; echo 01", "answered 2 characters to 1 accesses"),
      ("ready; read batch; echo 1", "answered “1” to “1:8”, a hit on a key that was not set"),
      (
        "ready; read batch; echo 0; read end; echo done residents=2",
        "reported residents=2, of 1 keys that were set"
      ),
      ("ready; read batch; yes | tr -d '\\n'", "answered more than 1 bytes in a line"),
      ("ready; read batch; echo 0; read end; echo bye", "answered “bye” to the end, not “done …”"),
      (
        "ready; read batch; echo 0; read end; echo done residents=-1",
        "residents=-1, which is no count"
      ),
      (
        "ready; read batch; echo 0; read end; echo done histogram=1:x",
        "the time “1:x”; give nanoseconds:count"
      ),
      ("ready; read batch; echo 0; read end; echo done residents", "“residents”; give name=value"),
      (
        "ready; read batch; echo 0; read end; echo done histogram=5:1,6:1",
        "reported the times of more gets than it was given"
      ),
      (
        "ready; read batch; echo 0; read end; echo done histogram=9000000000000000000:1",
        "reported a get of 9000000000000000000 ns, longer than the run"
      ),
    ])
  func nonsenseIsNamed(answer: String, problem: String) {
    let text = failure {
      let driver = try driver("read greeting; echo \(answer)")
      _ = try driver.access([.get(key: 1, size: 8)])
      _ = try driver.finish()
    }
    #expect(text.contains(problem), "\(text)")
  }
}
