import CheckedCaches
import Eviction
import Testing

@Suite("The arguments of the stress program")
struct StressArgumentsTests {
  @Test("name the time and the locks")
  func argumentsAreRead() throws {
    let usual = try StressArguments([])
    #expect(usual.seconds == 1)
    #expect(
      usual.locks.map { $0.information.name } == LockCatalog.threadSafe.map { $0.information.name })
    let asked = try StressArguments(["0.5", "spin,mutex"])
    #expect(asked.seconds == 0.5 && asked.usesLoads)
    #expect(try !StressArguments(["0", "mutex", "without-loads"]).usesLoads)
    #expect(asked.locks.map { $0.information.name } == ["spin", "mutex"])
  }

  @Test(
    "are refused where they are wrong",
    arguments: [
      (["0", "mutx"], "no lock for several threads is called “mutx”; known are adaptive, "),
      (["0", "mutex,none"], "no lock for several threads is called “none”; known are adaptive, "),
      (["0", ""], "no lock for several threads is called “”; known are adaptive, "),
      (["soon"], "“soon” is no number of seconds; give 0 to 1e9"),
      (["-1"], "“-1” is no number of seconds; give 0 to 1e9"),
      (["inf"], "“inf” is no number of seconds; give 0 to 1e9"),
      (["nan"], "“nan” is no number of seconds; give 0 to 1e9"),
      (["0", "mutex", "8"], "“8” is too much; give [SECONDS [LOCK,LOCK… [without-loads]]]"),
    ])
  func wrongArgumentIsRefused(arguments: [String], message: String) {
    let error = #expect(throws: StressArguments.UsageError.self) {
      try StressArguments(arguments)
    }
    #expect(error?.description.hasPrefix(message) ?? false, "\(error?.description ?? "")")
  }
}
