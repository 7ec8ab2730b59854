import Foundation
import Testing

/// Two results of one deterministic cell that differ are an error wherever documents are read.
struct ContradictionTests {
  let shell: Shell
  /// The lines of a document up to its results, the results, and the lines behind them.
  private let head: String
  private let row: String
  private let tail: String

  init() async throws {
    shell = try Shell()
    let made = try await shell.run(
      "evict sweep tiny.txt --policy lru --capacity 2 --format json --output good.json")
    #expect(made.code == 0)
    let lines = try shell.read("good.json").components(separatedBy: "\n")
    let place = try #require(lines.firstIndex { $0.contains("\"kind\": \"sweep\"") })
    (head, row) = (lines[..<place].joined(separator: "\n"), lines[place])
    tail = lines[(place + 1)...].joined(separator: "\n")
    try shell.write(document([other]), to: "bad.json")
  }

  /// The row with one hit more.
  private var other: String { row.replacing("\"hits\": 2", with: "\"hits\": 3") }

  private func document(_ rows: [String]) -> String {
    head + "\n" + rows.joined(separator: ",\n") + "\n" + tail
  }

  @Test func everyOrderIsRefusedByEveryCommand() async throws {
    #expect(row != other)
    try shell.write(document([row, row]), to: "twice.json")
    #expect(try await shell.run("evict check twice.json --baseline good.json").code == 0)
    for rows in [[row, other], [other, row], [row, row, other], [other, row, row]] {
      try shell.write(document(rows), to: "both.json")
      for line in [
        "check both.json --baseline good.json", "check both.json --baseline bad.json",
        "check good.json --baseline both.json", "check bad.json --baseline both.json",
        "check both.json --baseline both.json", "check both.json --baseline new.json --update",
        "check - --baseline good.json < both.json", "compare good.json both.json",
        "compare both.json bad.json", "report both.json", "sweep --merge both.json",
      ] {
        let outcome = try await shell.run("evict \(line)")
        #expect(outcome.code == 65 && outcome.output.isEmpty, "\(line)")
        #expect(
          outcome.errors.contains("contradicts itself: lru at 2 on tiny.txt has"), "\(line)")
      }
    }
    #expect(try !shell.files().contains("new.json"))
  }

  @Test(arguments: ["good.json bad.json", "bad.json good.json", "good.json good.json bad.json"])
  func documentsThatContradictEachOtherAreNotJoined(_ files: String) async throws {
    let report = try await shell.run("evict report \(files) --format json --output joined.json")
    #expect(report.code == 65 && report.errors.contains("contradict each other: lru at 2"))
    let merge = try await shell.run("evict sweep --merge \(files) --output joined.json")
    #expect(merge.code == 65 && merge.errors.contains("disagree on lru at 2"))
    #expect(try !shell.files().contains("joined.json"))
  }

  @Test func differencesOfTwoDocumentsCloseTheGate() async throws {
    #expect(try await shell.run("evict check good.json --baseline bad.json").code == 1)
    #expect(try await shell.run("evict check bad.json --baseline good.json").code == 1)
  }

  @Test func anEmptyDocumentIsNoReference() async throws {
    try shell.write(document([]), to: "empty.json")
    for line in [
      "check good.json --baseline empty.json", "check empty.json --baseline good.json",
      "check empty.json --baseline empty.json",
    ] {
      #expect(try await shell.run("evict \(line)").code == 1, "\(line)")
    }
    let before = try shell.read("good.json")
    for reference in ["good.json", "new.json"] {
      let outcome = try await shell.run("evict check empty.json --baseline \(reference) --update")
      #expect(outcome.code == 65 && outcome.errors.contains("holds no results"))
    }
    #expect(try shell.read("good.json") == before && !shell.files().contains("new.json"))
    #expect(try await shell.run("evict check good.json --baseline none.json").code == 66)
  }
}
