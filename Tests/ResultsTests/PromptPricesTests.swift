import Results
import Testing

@Suite struct PromptPricesTests {
  private static let text = #"""
    {"currency": "USD", "input": 3.00, "read": 0.30, "minimumTokens": 1024, "gibHour": 0.05,
     "writes": [{"timeToLive": 300, "price": 3.75},
                {"timeToLive": 3600, "price": 6.00, "storage": 1, "renewed": false}]}
    """#

  private func prices(_ text: String) throws(PromptPricesError) -> PromptPrices {
    try PromptPrices(reading: text.utf8, file: "prices.json")
  }

  @Test func readsAFile() throws {
    let prices = try prices(Self.text)
    #expect(prices.currency == "USD" && prices.input == 3 && prices.read == 0.3)
    #expect(prices.minimumTokens == 1_024 && prices.gibHour == 0.05)
    #expect(prices.writes.map(\.timeToLive) == [300, 3_600])
    #expect(prices.writes.map(\.price) == [3.75, 6])
    #expect(prices.writes.map(\.storage) == [0, 1])
    #expect(prices.writes.map(\.isRenewed) == [true, false])
    #expect(try self.prices(prices.json.text) == prices)
  }

  @Test(arguments: [
    ("{", "prices.json: byte "),
    ("[]", "prices.json: the file is not an object; correct it"),
    (#"{"input": 3, "gibHour": 1}"#, "“currency” of the file is missing or null; add it"),
    (#"{"currency": "", "input": 3, "gibHour": 1}"#, "“currency” of the file is not a name"),
    (#"{"currency": "USD", "gibHour": 1}"#, "“input” of the file is missing"),
    (
      #"{"currency": "USD", "input": -3, "gibHour": 1}"#,
      "“input” of the file is not a number from 0 to 1e12"
    ),
    (#"{"currency": "USD", "input": 3}"#, "“writes” of the file is missing"),
    (
      #"{"currency": "USD", "input": 3, "writes": [{"timeToLive": 300, "price": 3}]}"#,
      "“read” of the file is missing"
    ),
    (
      #"{"currency": "USD", "input": 3, "gibHour": 1, "gibhour": 1}"#,
      "“gibhour” of the file is not a price; known are currency, input, read, writes"
    ),
    (
      #"{"currency": "USD", "input": 3, "read": 1, "writes": [{"timeToLive": 300, "price": 3, "ttl": 1}]}"#,
      "“ttl” of entry 1 of “writes” is not a price; known are timeToLive, price"
    ),
    (
      #"{"currency": "USD", "input": 3, "read": 1, "writes": [{"timeToLive": 0, "price": 3}]}"#,
      "“timeToLive” of entry 1 of “writes” is not a whole number from 1 to 1000000000"
    ),
    (
      #"{"currency": "USD", "input": 3, "read": 1, "writes": [{"timeToLive": 1, "price": 3}, {"timeToLive": 1, "price": 4}]}"#,
      "“writes” of the file is not a list of different times"
    ),
    (
      #"{"currency": "USD", "input": 3, "gibHour": -1}"#,
      "“gibHour” of the file is not a number from 0 to 1e12; correct it"
    ),
  ])
  func refusesAndNamesThePlace(_ text: String, _ message: String) {
    let error = #expect(throws: PromptPricesError.self) { try prices(text) }
    #expect(error?.description.contains(message) == true, "\(error as Any)")
  }

  /// 1 million tokens: 600 000 read, 300 000 written, 100 000 neither.
  @Test func costsOfARentedCache() throws {
    var measures = PrefixMeasures()
    measures.setup.prices = try prices(Self.text)
    (measures.tokens, measures.hitTokens) = (1_000_000, 600_000)
    var rent = PromptRent()
    (rent.timeToLive, rent.writtenTokens, rent.tokenHours) = (3_600, 300_000, 2_000_000)
    measures.rent = rent
    let write = try #require(measures.setup.prices?.writes.last)
    let costs = try #require(measures.costs(hours: 7, write: write))
    #expect(abs(costs.input - 0.3) < 1e-12 && abs(costs.read - 0.18) < 1e-12)
    #expect(abs(costs.write - 1.8) < 1e-12 && abs(costs.storage - 2) < 1e-12)
    #expect(costs.withoutCache == 3 && abs(costs.total - 4.28) < 1e-12)
    #expect(abs((costs.saving ?? 0) + 1.28 / 3) < 1e-12)
  }

  /// 2 workers with 32 GiB each for 10 hours.
  @Test func costsOfAStoreOfOnesOwn() throws {
    var measures = PrefixMeasures()
    (measures.tokens, measures.hitTokens) = (1_000_000, 600_000)
    #expect(measures.costs(hours: 10, write: nil) == nil)
    measures.setup = PrefixSetup(workers: 2, router: "sticky", prices: try prices(Self.text))
    // Without the bytes of a token the price of memory is not known.
    #expect(measures.costs(hours: 10, write: nil) == nil)
    measures.bytes = 32 << 30
    let costs = try #require(measures.costs(hours: 10, write: nil))
    #expect(abs(costs.input - 1.2) < 1e-12 && costs.read == 0 && costs.write == 0)
    #expect(abs(costs.storage - 32) < 1e-9 && costs.withoutCache == 3)
  }

  @Test func measuresAreReadBack() throws {
    var run = Measurement(kind: .prefix, trace: "t", policy: "rented", capacity: 8, unit: .blocks)
    var measures = PrefixMeasures()
    measures.setup.prices = try prices(Self.text)
    (measures.tokens, measures.hitTokens) = (1_000, 600)
    var rent = PromptRent()
    (rent.timeToLive, rent.writtenTokens, rent.pauses, rent.pausesWithin) = (300, 300, 4, 0.75)
    measures.rent = rent
    measures.costs = measures.costs(hours: 1, write: measures.setup.prices?.writes[0])
    run.prefix = measures
    let results = ResultSet(measurements: [run])
    let read = try ResultSet(reading: results.json.text.utf8, file: "results")
    #expect(read.measurements == [run])
    // Runs by other prices are other cells.
    var other = run
    other.prefix?.setup.prices?.input = 4
    #expect(CellKey(other) != CellKey(run))
    #expect(CellKey(run).label == "rented at 8, prices in USD")
  }
}
