extension Trace {
  /// A trace of keys in memory, for tests and examples. Columns that are given have one value per
  /// request; a trace without requests is allowed. Groups begin at the requests of these numbers,
  /// which ascend; prompts are one for each
  /// group. O(requests).
  public static func of(
    _ keys: some Sequence<UInt64>, name: String = "memory", sizes: [UInt64]? = nil,
    times: [Int64]? = nil, operations: [TraceOperation]? = nil, ttls: [Int64]? = nil,
    costs: [Double]? = nil, classes: [String]? = nil, groupStarts: [Int] = [],
    prompts: PromptColumns? = nil
  ) -> Trace {
    var builder = TraceBuilder(name: name, format: "memory", keys: .integer, columns: .all)
    do throws(TraceError) {
      var groups = groupStarts[...]
      for key in keys {
        if groups.first == builder.requests {
          builder.beginGroup()
          groups.removeFirst()
        }
        try builder.append(key: key)
      }
      if sizes?.contains(unknownSize) == true { builder.expectUnknownSizes() }
      for size in sizes ?? [] { builder.append(size: size) }
      for time in times ?? [] { builder.append(time: time) }
      for operation in operations ?? [] { builder.append(operation: operation) }
      for ttl in ttls ?? [] { builder.append(ttl: ttl) }
      for cost in costs ?? [] { builder.append(cost: cost) }
      for name in classes ?? [] { builder.append(className: name) }
      for tokens in prompts?.tokens ?? [] { builder.append(blockTokens: tokens) }
      for (index, lengths) in (prompts?.lengths ?? []).enumerated() {
        builder.append(
          prompt: lengths, blockTokens: prompts?.blockTokens,
          session: prompts?.sessions.map { "\($0[index])" })
      }
      return try builder.finishAllowingEmpty()
    } catch {
      preconditionFailure(error.description)
    }
  }
}
