import Testing
import Traces

@Suite struct SyntheticWorkloadTests {
  private let folder = TemporaryFolder()

  private func keys(_ workload: SyntheticWorkload) throws -> [UInt64] {
    let trace = try TraceGenerators.trace(workload)
    return trace.ids.map { trace.integerKey(of: $0) ?? .max }
  }

  @Test func phasesFollowEachOther() throws {
    let phases = ["loop:keys=2:requests=3", "scan:first=1:requests=2", "loop:keys=1:requests=2"]
    let shared = try SyntheticWorkload(phases: phases)
    #expect(try keys(shared) == [0, 1, 0, 1, 2, 0, 0])
    #expect(shared.requests == 7 && shared.name == phases.joined(separator: "+"))
    let apart = try SyntheticWorkload(phases: phases, disjoint: true)
    #expect(try keys(apart) == [0, 1, 0, 3, 4, 5, 5])
  }

  @Test func phasesDrawIndependently() throws {
    let phase = "uniform:keys=1000000:requests=10000"
    let all = try keys(SyntheticWorkload(phases: [phase, phase]))
    #expect(Array(all[..<10_000]) == (try keys(SyntheticWorkload(phases: [phase]))))
    #expect(all[..<10_000] != all[10_000...])
  }

  @Test func everyKeyStaysBelowWhatAGeneratorPromises() throws {
    for generator in TraceGenerators.all {
      let name = generator.information.name
      let small = generator.information.parameters.contains { $0.name == "keys" } ? ":keys=7" : ""
      let hot = name == "hot-shift" ? ":hot=3:period=5" : ""
      let workload = try SyntheticWorkload(
        phases: ["\(name)\(small)\(hot):requests=20000", "scan:requests=1"], disjoint: true)
      let keys = try keys(workload)
      #expect(keys.dropLast().allSatisfy { $0 < keys[20_000] }, "\(name)")
    }
  }

  @Test func anObjectHasTheSameSizeAtAllItsRequests() throws {
    let workload = try SyntheticWorkload(
      phases: ["zipf:keys=100:requests=5000"], sizes: "lognormal:mean=4096:sigma=1")
    let trace = try TraceGenerators.trace(workload, columns: .sizes)
    let sizes = try #require(trace.sizes)
    var known: [UInt32: UInt64] = [:]
    for (id, size) in zip(trace.ids, sizes) {
      #expect(known[id] ?? size == size)
      known[id] = size
    }
    #expect(Set(known.values).count > 90)
  }

  /// The bytes of small files: the same on every platform and in every release.
  @Test(arguments: [
    ("zipf:alpha=1.2", "periodic", nil, "GOLDEN"),
    ("uniform", "periodic", nil, "GOLDEN"),
    ("scan", "periodic", nil, "GOLDEN"),
    ("loop", "periodic", nil, "GOLDEN"),
    ("hotscan", "periodic", nil, "GOLDEN"),
    ("hot-shift:period=100", "periodic", nil, "GOLDEN"),
    ("zipf-drift:period=100", "periodic", nil, "GOLDEN"),
    ("gaussian-walk", "periodic", nil, "GOLDEN"),
    ("stack-distance", "periodic", nil, "GOLDEN"),
    ("arrivals", "periodic", nil, "GOLDEN"),
    ("scan", "poisson:rate=3", nil, "GOLDEN"),
    ("scan", "periodic:rate=3", "constant", "GOLDEN"),
    ("scan", "periodic", "uniform", "GOLDEN"),
    ("scan", "periodic", "lognormal", "GOLDEN"),
    ("scan", "periodic", "pareto", "GOLDEN"),
  ] as [(String, String, String?, String)])
  func theBytesOfASeedNeverChange(
    _ generator: String, _ times: String, _ sizes: String?, _ sha256: String
  ) throws {
    let workload = try SyntheticWorkload(
      phases: ["\(generator):requests=2000"], times: times, sizes: sizes)
    let path = folder.path + "/a.oracleGeneral"
    try TraceWriter.write(workload, to: path)
    #expect(try TraceLoader.sha256(ofFile: path) == sha256)
  }

  @Test func everyGeneratorAndDistributionHasGoldenBytes() {
    #expect(TraceGenerators.all.count == 10, "add a line to theBytesOfASeedNeverChange")
    #expect(ArrivalTimesCatalog.all.count + SizeDistributions.all.count == 6)
  }

  @Test func whatDoesNotFitIsRefused() {
    func refusal(
      _ phases: String..., times: String = "periodic", sizes: String? = nil
    ) -> String? {
      failure { () throws(TraceError) in
        _ = try SyntheticWorkload(phases: phases, times: times, sizes: sizes)
      }?.description
    }
    #expect(refusal() == "a workload without phases; name a generator")
    #expect(
      refusal("scan:size=3", sizes: "constant")
        == "scan:size=3 has a size, and sizes are distributed; leave one of them out")
    #expect(
      refusal("scan", times: "never")
        == "there is no kind of arrival times 'never'; choose one of periodic, poisson")
    #expect(
      refusal("scan", times: "poisson:rate=0")
        == "poisson: rate=0 is out of range; give 0.000001…1000000000")
    #expect(
      refusal("scan", times: "poisson:rate=0.001")
        == "poisson:rate=0.001: 1000000 requests would take more than 100000000 seconds; "
        + "raise the rate or make fewer requests")
    #expect(
      refusal("scan", sizes: "normal")
        == "there is no size distribution 'normal'; choose one of "
        + "constant, uniform, lognormal, pareto")
    #expect(
      refusal("scan", sizes: "uniform:min=3:max=2")
        == "uniform: min=3 is above max=2; lower min or raise max")
    #expect(
      refusal("scan", sizes: "pareto:max=5GiB")
        == "pareto: max=5GiB is out of range; give bytes (64KiB), 1…4294967295")
  }
}
