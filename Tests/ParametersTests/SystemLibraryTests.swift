import Foundation
import Parameters
import Testing

/// Texts and facts without Foundation.
@Suite struct SystemLibraryTests {
  @Test(arguments: [0.0, -1.5, 123_456.789, 1e-9, 1e300, .infinity])
  func numbersArePrintedAsFoundationPrintsThem(_ value: Double) {
    for format in ["%.2f %%", "%.3e", "%g"] {
      #expect(String(printing: format, value) == String(format: format, value), "\(format)")
    }
    #expect(String(printing: "%.*f", 4, value) == String(format: "%.*f", 4, value))
  }

  @Test func theFirstValueOfANameCountsWithoutSpacesAndQuotes() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try "NAME=\"A b\"\nPid:\t17\nNAME=c\n\nno value\nlast = x: y ".write(
      to: file, atomically: true, encoding: .utf8)
    let facts = SystemFacts.read(file.path, separator: "=")
    #expect(facts == ["NAME": "A b", "last": "x: y"])
    #expect(SystemFacts.read(file.path, separator: ":")["Pid"] == "17")
    #expect(SystemFacts.read(file.path + "/none", separator: "=").isEmpty)
  }
}
