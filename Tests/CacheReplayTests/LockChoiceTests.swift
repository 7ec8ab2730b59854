import CacheReplay
import Eviction
import Testing

@Suite struct LockChoiceTests {
  @Test(arguments: ["mutex", "none", "sharded:1:mutex", "sharded:16:big-reader"])
  func choiceIsWrittenAsItIsParsed(text: String) throws {
    let choice = try LockChoice(parsing: text)
    #expect(choice.name == text)
    #expect(text.hasSuffix(choice.lock.information.name))
  }

  @Test func shardsAreCounted() throws {
    #expect(try LockChoice(parsing: "sharded:16:spin").shards == 16)
    #expect(try LockChoice(parsing: "spin").shards == nil)
  }

  @Test func unknownLockNamesTheKnownOnes() {
    for text in ["mutx", "sharded:4:mutx"] {
      let error = #expect(throws: LockChoiceError.self) { try LockChoice(parsing: text) }
      #expect(
        error?.description.hasPrefix("no lock is called “mutx”; did you mean mutex?") ?? false)
    }
  }

  @Test(arguments: [
    "sharded:mutex", "sharded:0:mutex", "sharded:-1:mutex", "sharded:4097:mutex", "shards:4:mutex",
    "sharded:4:mutex:spin", "sharded:x:mutex",
  ])
  func malformedChoiceIsRefused(text: String) {
    let error = #expect(throws: LockChoiceError.self) { try LockChoice(parsing: text) }
    #expect(
      error?.description
        == "“\(text)” names no lock; give a name or sharded:N:LOCK with 1 to 4096 shards")
  }
}
