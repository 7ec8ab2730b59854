import Testing

import Traces

@Suite struct OrderModelTests {
  private static let names = OrderModels.all.map { $0.information.name }

  @Test(arguments: names, [1, 2, 7, 64, 5_000])
  func everyRequestComesOnceAndNearItsPlace(_ name: String, reach: Int) throws {
    let model = try #require(OrderModels.named(name))
    for count in [1, 2, 3, 100, 1_000] {
      var random = RandomSource(seed: UInt64(count))
      let arrivals = model.arrivals(of: count, reach: reach, random: &random)
      #expect(arrivals.sorted() == (0..<UInt32(count)).map { $0 })
      let furthest = arrivals.enumerated().map { abs($0 - Int($1)) }.max() ?? 0
      #expect(furthest <= reach)
      if count == 1_000 && reach >= 64 { #expect(furthest > 0) }
    }
  }

  @Test(arguments: names)
  func aSeedDecidesTheOrder(_ name: String) throws {
    let model = try #require(OrderModels.named(name))
    func arrivals(_ seed: UInt64) -> [UInt32] {
      var random = RandomSource(seed: seed)
      return model.arrivals(of: 500, reach: 32, random: &random)
    }
    #expect(arrivals(1) == arrivals(1))
    #expect(arrivals(1) != arrivals(2))
  }

  /// Every distance of the window is drawn about as often: late by 0 to 4 places.
  @Test func theWindowDrawsEveryDelay() {
    var random = RandomSource(seed: 3)
    let arrivals = OrderModels.all[0].arrivals(of: 50_000, reach: 4, random: &random)
    let stayed = arrivals.enumerated().count { $0 == Int($1) }
    // An independent program that sorts by place and delay has 0.273.
    #expect(abs(Double(stayed) / 50_000 - 0.273) < 0.015)
  }

  @Test(arguments: names)
  func requestsOfAKeyKeepTheirOrderAndTimesStay(_ name: String) throws {
    let model = try #require(OrderModels.named(name))
    var text = "time,key,op,size,ttl\n"
    for number in 0..<600 {
      let operation = ["get", "set", "delete"][number % 3]
      text += "\(number),\(number * number % 23),\(operation),\(number + 1),\(number % 5)\n"
    }
    let trace = try load(text, name: "t.csv", columns: .all)
    let other = trace.reordered(by: model, reach: 40, seed: 9)
    #expect(other.times.map(Array.init) == trace.times.map(Array.init))
    #expect(other.requests == trace.requests && other.distinct == trace.distinct)
    func rows(of trace: Trace) -> [UInt64: [String]] {
      var rows: [UInt64: [String]] = [:]
      for row in 0..<trace.requests {
        rows[trace.keyHash(of: trace.ids[row]), default: []].append(
          "\(trace.operations![row]) \(trace.sizes![row]) \(trace.ttls![row])")
      }
      return rows
    }
    #expect(rows(of: other) == rows(of: trace))
    #expect(other.sizes.map(Array.init) != trace.sizes.map(Array.init))
  }

  @Test func noReachIsTheTraceItself() throws {
    let trace = try load("a\nb\na\nc\n")
    let other = trace.reordered(by: OrderModels.all[0], reach: 0, seed: 1)
    #expect(Array(other.ids) == Array(trace.ids))
    #expect(ids(trace.suffix(from: 0)) == [0, 1, 0, 2] && ids(trace.suffix(from: 2)) == [0, 1])
  }
}
