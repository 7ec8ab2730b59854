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

  /// A small file of 2000 requests, and what its bytes are for ever.
  struct Golden: CustomTestStringConvertible {
    let generator: String
    let times: String
    let sizes: String?
    let sha256: String

    init(
      _ generator: String, times: String = "periodic", sizes: String? = nil, _ sha256: String
    ) {
      self.generator = generator
      self.times = times
      self.sizes = sizes
      self.sha256 = sha256
    }

    var testDescription: String { "\(generator) \(times) \(sizes ?? "")" }
  }

  static let golden = [
    Golden(
      "zipf:alpha=1.2",
      "c3b67f8871347fc811a93231e6d20edc3d835fd7f63a34ed3b1a2539ce6e2780"),
    Golden(
      "uniform",
      "81f4e6f5f790e84ee0d605153898f2e85869bf23bce5a0effc1c8c717b3ef6c4"),
    Golden(
      "scan",
      "ab422e7ecdab7e13aca6cf97c1de7a887a37db31af85c9d54032a726b7f23480"),
    Golden(
      "loop",
      "2dcd1ac73f52780c5979b680d68577ff9a8a302ba7df0e9ebcd0cf703f5f655c"),
    Golden(
      "hotscan",
      "480dadd79e452751b189212fa89e69ab85340c5eaf6cbe79386b5ba0998e2b23"),
    Golden(
      "hot-shift:period=100",
      "9c182ea74f9cba9046be8fe17cd80db7d118c08fcba976987abc74966e8dd49a"),
    Golden(
      "zipf-drift:period=100",
      "b2471705118111c1aa0375f6ae11547bb4d78abe8d0579a7ade72773c1c3096f"),
    Golden(
      "gaussian-walk",
      "135e23cf2f589f82bc69889d369f22fa02891a50cdc7b5fbb86704d32f64ec1e"),
    Golden(
      "stack-distance",
      "f6ea098bf5dc741a602f195dae9248610646f53041440cb5999318660b441d6a"),
    Golden(
      "arrivals",
      "d46fc2fa48f3b0372f78c239c7bad76b3b6271d41c2e64ec7771ab842a5c6c48"),
    Golden(
      "scan", times: "poisson:rate=3",
      "c9b3c9a65d40ede1eeb2fc0459920362e70a5e44516e87d316ecc1d688b76fa1"),
    Golden(
      "scan", times: "periodic:rate=3", sizes: "constant",
      "2e336f67f06bd49dd240113edbe1126f7b181c687f2753f214443296f14b69ad"),
    Golden(
      "scan", sizes: "uniform",
      "8cf60369b65bcd11c665bc2830f5fb8f8bd11ea7939cc298175e5f9c808ed2e1"),
    Golden(
      "scan", sizes: "lognormal",
      "7aa2f368c4d1270d1fa1c72804f7467da75567c47b52f0a248269e621b07aadc"),
    Golden(
      "scan", sizes: "pareto",
      "89f0f35d3f92f1783f48132539a2ac1e9168be42373fe7170b09a1b5238db2a3"),
  ]

  @Test(arguments: golden)
  func theBytesOfASeedNeverChange(_ golden: Golden) throws {
    let workload = try SyntheticWorkload(
      phases: ["\(golden.generator):requests=2000"], times: golden.times, sizes: golden.sizes)
    let path = folder.path + "/a.oracleGeneral"
    try TraceWriter.write(workload, to: path)
    #expect(try TraceLoader.sha256(ofFile: path) == golden.sha256)
  }

  @Test func everyGeneratorAndDistributionHasGoldenBytes() {
    func names(_ specifications: some Sequence<String>) -> Set<String> {
      Set(specifications.map { String($0.prefix { $0 != ":" }) })
    }
    let golden = Self.golden
    #expect(
      names(golden.map(\.generator)) == Set(TraceGenerators.all.map { $0.information.name }))
    #expect(
      names(golden.map(\.times)) == Set(ArrivalTimes.kinds.map(\.name)))
    #expect(
      names(golden.compactMap(\.sizes))
        == Set(SizeDistributions.all.map { $0.information.name }))
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
        == "no kind of arrival times is called “never”; known are periodic, poisson")
    #expect(
      refusal("scan", times: "poisson:rate=0")
        == "poisson: rate=0 is out of range; give 0.000001…1000000000")
    #expect(
      refusal("scan", times: "poisson:rate=0.001")
        == "poisson:rate=0.001: 1000000 requests would take more than 100000000 seconds; "
        + "raise the rate or make fewer requests")
    #expect(
      refusal("scan", sizes: "normal")
        == "no size distribution is called “normal”; known are "
        + "constant, uniform, lognormal, pareto")
    #expect(
      refusal("scan", sizes: "uniform:min=3:max=2")
        == "uniform: min=3 is above max=2; lower min or raise max")
    #expect(
      refusal("scan", sizes: "pareto:max=5GiB")
        == "pareto: max=5GiB is out of range; give bytes (64KiB), 1…4294967295")
  }
}
