/// The prices of prompt tokens and of the memory that holds them.
///
///     {"currency": "USD", "input": 3, "read": 0.3, "minimumTokens": 1024, "gibHour": 0.05,
///      "writes": [{"timeToLive": 300, "price": 3.75}, {"timeToLive": 3600, "price": 6}]}
package struct PromptPrices: Documented, Hashable {
  /// The price of tokens that a service keeps for a time.
  package struct Write: Documented, Hashable {
    /// In seconds.
    package var timeToLive = 0
    package var price = 0.0
    package var storage = 0.0
    package var isRenewed = true

    package init() {}

    package static let fields: [Field<Write>] = [
      Field(
        "timeToLive", \.timeToLive, "seconds that a written token lives", .exact,
        as: Int.format.restricted(to: "a whole number from 1 to \(longest)") {
          (1...longest).contains($0)
        }),
      Field(
        "price", \.price, "the price of a million tokens written", .exact,
        as: PromptPrices.amount),
      .omittable(
        "storage", \.storage, "the price of a million tokens kept for an hour", .exact),
      .omittable("renewed", \.isRenewed, "a read begins the time to live anew", .exact),
    ]

    /// Times in nanoseconds are far from overflow.
    private static let longest = 1_000_000_000

    package func finish(reading object: JSONNode) throws(ResultSetError) {
      try PromptPrices.check(storage, object["storage"])
    }
  }

  package var currency = ""
  package var input = 0.0
  /// Nil where no service is priced.
  package var read: Double?
  /// Empty where no service is priced.
  package var writes: [Write] = []
  package var minimumTokens = 0
  /// Nil where no memory is priced.
  package var gibHour: Double?

  package init() {}

  package static let fields: [Field<PromptPrices>] = [
    Field("currency", \.currency, "the currency", .exact),
    Field(
      "input", \.input, "the price of a million tokens that no cache has", .exact,
      as: PromptPrices.amount),
    .omittable("read", \.read, "the price of a million tokens read from a service's cache", .exact),
    .omittable("writes", \.writes, "the service's times to live, each with its prices"),
    .omittable(
      "minimumTokens", \.minimumTokens, "the fewest tokens of a prefix that the service keeps",
      .exact),
    .omittable("gibHour", \.gibHour, "the price of a GiB of one's own for an hour", .exact),
  ]

  private static let range = "a number from 0 to 1e12"

  private static let amount = Double.format.restricted(to: range, where: isAmount)

  private static func isAmount(_ price: Double) -> Bool { price >= 0 && price <= 1e12 }

  private static func check(_ price: Double?, _ node: JSONNode) throws(ResultSetError) {
    if let price, !isAmount(price) { throw node.wrong(range) }
  }

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    for (key, price) in [("read", read), ("gibHour", gibHour)] {
      try PromptPrices.check(price, object[key])
    }
    if currency.isEmpty { throw object["currency"].wrong("a name such as USD") }
    if minimumTokens < 0 { throw object["minimumTokens"].wrong("a whole number from 0 on") }
    if writes.isEmpty && gibHour == nil { throw object["writes"].wrong("a list of prices") }
    if !writes.isEmpty && read == nil { throw object["read"].wrong("a number from 0 on") }
    let lives = Set(writes.map { [$0.timeToLive, $0.isRenewed ? 1 : 0] })
    if lives.count < writes.count { throw object["writes"].wrong("a list of different times") }
  }

  /// Reads a file of prices.
  ///
  /// - Throws: ``PromptPricesError`` where it is no such file, or has members that no price has.
  package init(reading bytes: some Sequence<UInt8>, file: String) throws(PromptPricesError) {
    do throws(ResultSetError) {
      let object = try JSONNode(line: bytes, file: file, name: "the file")
      guard case .object = object.json else { throw object.wrong("an object") }
      try self.init(object)
      try PromptPrices.checkKeys(of: object, PromptPrices.fields.flatMap(\.rows))
      if object["writes"].json != nil {
        for write in try object["writes"].elements() {
          try PromptPrices.checkKeys(of: write, Write.fields.flatMap(\.rows))
        }
      }
    } catch { throw PromptPricesError(cause: error) }
  }

  private static func checkKeys(
    of object: JSONNode, _ rows: [DocumentRow]
  ) throws(ResultSetError) {
    let known = rows.map(\.key)
    if let key = object.keys.first(where: { !known.contains($0) }) {
      throw object[key].wrong("a price; known are \(known.joined(separator: ", "))")
    }
  }
}

/// The fault of a file of prices.
package struct PromptPricesError: Error, Equatable, CustomStringConvertible {
  /// The value that is wrong.
  package let cause: ResultSetError

  /// One line: the fault, its place and the remedy.
  package var description: String {
    let example = #"{"currency": "USD", "input": 3, "gibHour": 0.05}"#
    return switch cause {
    case .malformed(let file, _, let error):
      "\(file): byte \(error.byte): \(error.problem); write one object, such as \(example)"
    case .value(let file, let path, let expected):
      "\(file): \(path) is not \(expected); correct it"
    case .absent(let file, let path):
      "\(file): \(path) is missing or null; add it, as in \(example)"
    default: "\(cause)"
    }
  }
}

/// The costs of the prompts of a run.
package struct PromptCosts: Documented {
  package var input = 0.0
  package var read = 0.0
  package var write = 0.0
  package var storage = 0.0
  package var withoutCache = 0.0

  package init() {}

  package static let fields: [Field<PromptCosts>] = [
    Field("input", \.input, "the cost of tokens that no cache had or took", .exact),
    Field("read", \.read, "the cost of tokens read from a rented cache", .exact),
    Field("write", \.write, "the cost of tokens that were written to a rented cache", .exact),
    Field("storage", \.storage, "the cost of memory, or of tokens kept", .exact),
    .derived("total", \.total, "the sum of these", .exact),
    Field("withoutCache", \.withoutCache, "the cost of all tokens without a cache", .exact),
    .derived("saving", \.saving, "1 − `total` / `withoutCache`", .exact),
  ]

  /// The sum of all costs.
  package var total: Double { input + read + write + storage }

  /// The fraction of the cost without a cache that is saved; nil where that is 0.
  package var saving: Double? { withoutCache > 0 ? 1 - total / withoutCache : nil }
}

/// The measures of a rented cache.
package struct PromptRent: Documented {
  /// In seconds.
  package var timeToLive = 0
  package var writtenTokens = 0
  package var tokenHours = 0.0
  /// Nil where prompts have no sessions.
  package var pauses: Int?
  /// Nil where there are no pauses.
  package var pausesWithin: Double?

  package init() {}

  package static let fields: [Field<PromptRent>] = [
    Field("timeToLive", \.timeToLive, "seconds that a written token lives", .exact, as: .from(1)),
    Field(
      "writtenTokens", \.writtenTokens, "tokens written: neither hit nor left out", .exact,
      as: .count),
    Field("tokenHours", \.tokenHours, "tokens kept × hours, until the last prompt", .exact),
    .omittable("pauses", \.pauses, "pauses between prompts of one session", .exact),
    .omittable(
      "pausesWithin", \.pausesWithin, "the fraction of these that are no longer than `timeToLive`",
      .exact),
  ]
}

extension PrefixMeasures {
  /// Returns the costs by the prices of the run: for a rented cache those of its time to live, for others those of memory.
  /// Nil where these, or the bytes of the cache, are not known.
  ///
  /// - Parameter hours: The time that the memory is paid for.
  package func costs(hours: Double, write: PromptPrices.Write?) -> PromptCosts? {
    guard let prices = setup.prices else { return nil }
    func cost(_ tokens: Int, _ price: Double) -> Double { Double(tokens) / 1e6 * price }
    var costs = PromptCosts()
    costs.withoutCache = cost(tokens, prices.input)
    let written = rent?.writtenTokens ?? 0
    costs.input = cost(tokens - hitTokens - written, prices.input)
    if let rent, let write, let read = prices.read {
      costs.read = cost(hitTokens, read)
      costs.write = cost(written, write.price)
      costs.storage = rent.tokenHours / 1e6 * write.storage
      return costs
    }
    guard let gibHour = prices.gibHour, let bytes else { return nil }
    costs.storage = Double(bytes) / 0x1p30 * Double(setup.workers) * hours * gibHour
    return costs
  }
}
