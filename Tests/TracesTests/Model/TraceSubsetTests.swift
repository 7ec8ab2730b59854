import Testing
import Traces

@Suite struct TraceSubsetTests {
  @Test func everyColumnIsThinned() throws {
    let trace = Trace.of(
      [5, 6, 7, 5, 7], sizes: [1, 2, 3, 4, 5], times: [10, 20, 30, 40, 50],
      operations: [.get, .set, .delete, .add, .read], ttls: [9, 8, 7, 6, 5],
      costs: [0.5, 1, 2, 3, 4], classes: ["x", "y", "z", "x", "y"], groupStarts: [0, 1, 2, 4])
    let part = trace.subset(Column([2, 3, 4]))
    #expect(ids(part) == [0, 1, 0] && part.distinct == 2)
    #expect(part.integerKey(of: 0) == 7 && part.integerKey(of: 1) == 5)
    #expect(part.sizes.map(Array.init) == [3, 4, 5])
    #expect(part.times.map(Array.init) == [30, 40, 50])
    #expect(part.operations.map(Array.init) == [.delete, .add, .read])
    #expect(part.ttls.map(Array.init) == [7, 6, 5] && part.costs.map(Array.init) == [2, 3, 4])
    #expect(part.classes.map(Array.init) == [0, 1, 2] && part.classNames == ["z", "x", "y"])
    #expect(part.groupStarts.map(Array.init) == [0, 2])
    #expect(trace.subset(Column([0, 1, 4])).groupStarts.map(Array.init) == [0, 1, 2])
    #expect(trace.subset(Column([])).requests == 0)
  }

  @Test func textKeysAndTheirLengthsStay() throws {
    let trace = try load("key,size\na,1\nbbb,2\ncc,3\n", name: "a.csv", columns: .all)
    let part = trace.subset(Column([1, 2]))
    #expect(part.keyLengths.map(Array.init) == [3, 2])
    #expect(part.keyHash(of: 0) == trace.keyHash(of: 1))
  }

  @Test func aSampleHasAllRequestsOfItsKeysOrNone() throws {
    let trace = try TraceGenerators.trace("zipf:alpha=0.6:keys=5000:requests=25000")
    let sample = try trace.sample(.rate(0.1))
    #expect(abs(Double(sample.trace.distinct) / Double(trace.distinct) - 0.1) < 0.02)
    #expect(sample.rate == 0.1 && abs(sample.requestsRatio - 1) < 0.2)
    let hashes = trace.keyHashes(seed: 42)
    let kept = trace.ids.filter { Double(hashes[Int($0)]) < 0.1 * 0x1p64 }
    #expect(kept.count == sample.trace.requests)
    let whole = try trace.sample(.rate(1))
    #expect(whole.trace.requests == trace.requests && whole.standardError == 0)
    let other = try trace.sample(.rate(0.1), seed: 7)
    #expect(other.trace.requests != sample.trace.requests)
  }

  @Test func partsHaveEachKeyOnce() throws {
    let trace = Trace.of((0..<5000).map { $0 % 1003 } as [UInt64])
    let parts = trace.parts(4, seed: 7)
    #expect(parts.map(\.distinct) == [251, 251, 251, 250])
    #expect(parts.map(\.requests).reduce(0, +) == trace.requests)
    let hashes = parts.flatMap { Array($0.keyHashes(seed: 42)) }
    #expect(hashes.sorted() == trace.keyHashes(seed: 42).sorted())
    let others = trace.parts(4, seed: 8)[0].keyHashes(seed: 42)
    #expect(Array(others) != Array(parts[0].keyHashes(seed: 42)))
    #expect(Trace.of([1, 2, 1]).parts(4, seed: 7).map(\.distinct) == [1, 1])
  }

  @Test(arguments: [1, 2, 100, 1000])
  func aSampleOfFixedSizeHasTheSmallestHashes(_ count: Int) throws {
    let trace = try TraceGenerators.trace("uniform:keys=1000:requests=5000")
    let sample = try trace.sample(.keys(count))
    let hashes = trace.keyHashes(seed: 42).sorted()
    let kept = sample.trace.keyHashes(seed: 42).sorted()
    #expect(kept == Array(hashes.prefix(count)))
    let threshold = count < hashes.count ? Double(hashes[count]) * 0x1p-64 : 1
    #expect(abs(sample.rate - threshold) < 1e-12)
  }

  @Test func theErrorFallsWithTheRootOfTheSampledKeys() throws {
    // Every key four times: n is the number of keys, and a hit ratio of one half has the error
    // that the sample of a coin has.
    let trace = Trace.of((0..<8000).map { $0 % 2000 } as [UInt64])
    let sample = try trace.sample(.keys(100))
    #expect(abs(sample.effectiveKeys - 100) < 1e-9)
    #expect(abs(sample.standardError - 0.05) < 0.002)
    // One key has half of the requests: two clusters would be as exact, not five.
    let uneven = Trace.of([0, 0, 0, 0, 1, 2, 3, 4] as [UInt64])
    #expect(try uneven.sample(.rate(1)).effectiveKeys == 64.0 / 20)
  }

  @Test func estimatesSpreadAsTheErrorSays() throws {
    // Half of the keys is always hit, half never: the hit ratio is one half.
    let trace = Trace.of((0..<1600).map { $0 % 400 } as [UInt64])
    var squares = 0.0
    for seed in 1...200 as ClosedRange<UInt64> {
      let sample = try trace.sample(.rate(0.1), seed: seed)
      let hits = sample.trace.ids.count {
        sample.trace.integerKey(of: $0).map { $0 < 200 } ?? false
      }
      let ratio = Double(hits) / Double(sample.trace.requests)
      squares += ((ratio - 0.5) / sample.standardError) * ((ratio - 0.5) / sample.standardError)
    }
    #expect(abs((squares / 200).squareRoot() - 1) < 0.15)
  }

  @Test func aWindowCountsFromTheFirstRequest() throws {
    let trace = Trace.of([1, 2, 3, 4], times: [1000, 1005, 1003, 1010])
    #expect(try trace.window(3..<6).times.map(Array.init) == [1005, 1003])
    #expect(try trace.window(.min..<5).requests == 2)
    #expect(trace.prefix(3).requests == 3 && trace.prefix(9).requests == 4)
    let wild = Trace.of([1, 2], times: [.min, .max])
    #expect(try wild.window(0..<5).requests == 1)
    let none = failure { () throws(TraceError) in _ = try trace.window(20..<30) }
    #expect(
      none?.description
        == "memory: none of its 4 requests is kept; widen --from and --to")
    let timeless = failure { () throws(TraceError) in _ = try Trace.of([1]).window(0..<1) }
    #expect(
      timeless?.description
        == "memory: has no times; leave out --from and --to, or take --first n")
    let unlucky = failure { () throws(TraceError) in _ = try trace.sample(.rate(1e-9)) }
    #expect(
      unlucky?.description == "memory: none of its 4 requests is kept; raise --rate or --keys")
  }
}
