import Eviction
import Foundation
import Parameters
import Testing

@Suite("The catalog of admission filters")
struct AdmissionCatalogTests {
  @Test("lists every file of the filters' folder")
  func everyFileIsRegistered() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
      .appending(path: "../../../../Sources/EvictionCore/Admission")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.standardized.path)
    // `CacheAdmission` is the choice of one.
    let filters = files.filter { $0.hasSuffix("Admission.swift") && $0 != "CacheAdmission.swift" }
    let registered = AdmissionCatalog.all.map {
      "\($0)".split(separator: ".").last.map { "\($0).swift" }
    }
    #expect(Set(registered) == Set(filters))
    #expect(registered.count == filters.count)
  }

  @Test("gives every filter a name of its own, by which it is found, and a whole page")
  func pagesAreWritten() {
    let all = AdmissionCatalog.all.map { $0.information }
    #expect(Set(all.map(\.name)).count == all.count)
    for (filter, type) in zip(all, AdmissionCatalog.all) {
      #expect(AdmissionCatalog.filter(named: filter.name) == type)
      let texts = [
        filter.name, filter.summary, filter.paper, filter.idea, filter.decision, filter.complexity,
        filter.differences,
      ]
      #expect(texts.allSatisfy { !$0.isEmpty }, "\(filter.name)")
      for parameter in filter.parameters {
        #expect(!parameter.help.isEmpty)
        #expect(parameter.defaultValue.map { parameter.parse("\($0)") == $0 } == true)
      }
    }
    #expect(AdmissionCatalog.filter(named: "no such filter") == nil)
  }

  @Test("makes what a specification names, and says what is wrong with one")
  func filtersAreMadeByName() throws {
    func make(
      _ text: String, capacity: Int? = 10, isSized: Bool = false
    ) throws(PolicyError) -> AdmissionFilter? {
      try AdmissionCatalog.makeFilter(
        Specification(stringLiteral: text), policy: "lru", capacity: capacity, isSized: isSized,
        seed: 1)
    }
    func problem(_ text: String, capacity: Int? = 10) -> String {
      do {
        _ = try make(text, capacity: capacity)
        return "none"
      } catch { return "\(error)" }
    }
    #expect(try make("always") == nil)
    #expect(try make("tinylfu:sample=5") is TinyLFUAdmission)
    #expect(try make("size:limit=64KiB", isSized: true) is SizeAdmission)
    #expect(
      problem("tiny") == "lru: no admission filter is called “tiny”; known are always, size, "
        + "probability, size-probability, bloom, tinylfu, adaptsize")
    #expect(problem("tinylfu:limit=3").hasPrefix("tinylfu has no parameter “limit”; it has sample"))
    #expect(problem("probability:p=2") == "probability: p=2 is out of range; give 0…1")
    #expect(problem("size").contains("decides by bytes"))
    #expect(problem("tinylfu", capacity: nil).contains("needs a limit"))
  }
}
