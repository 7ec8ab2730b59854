extension PrefixSetup.Definition: JSONValue {}
extension PrefixSetup.Residency: JSONValue {}

extension PrefixMeasures: Documented {
  package static let blank = PrefixMeasures()
  package static let fields: [Field<PrefixMeasures>] = [
    Field("definition", \.setup.definition, .exact, "the definition of the counted ratio"),
    Field("residency", \.setup.residency, .exact, "the blocks that may be evicted"),
    Field("prompts", \.prompts, .count, .exact, "prompts counted: those of the warm-up are not"),
    Field("blocks", \.blocks, .count, .exact, "their blocks"),
    Field("hitBlocks", \.hitBlocks, .count, .exact, "blocks of their longest resident prefixes"),
    Field("tokens", \.tokens, .count, .exact, "their tokens"),
    Field("hitTokens", \.hitTokens, .count, .exact, "tokens of their longest resident prefixes"),
    .derived("tokenHitRatio", \.tokenHitRatio, .exact, "`hitTokens` / `tokens`"),
    Field(
      "meanHitRatio", \.meanHitRatio, .exact, "the mean of hit tokens / tokens over the prompts"),
    .derived("speedup", \.speedup, .exact, "`tokens` / (`tokens` − `hitTokens`)"),
    .unless(
      nil, "sessionHitRatio", \.sessionHitRatio,
      .exact,
      "tokens hit in blocks that the same session requested last, as a fraction of `tokens`"),
    .unless(0, "orphans", \.orphans, .exact, "resident blocks behind one that was not"),
    .unless(nil, "bytes", \.bytes, .exact, "bytes of the cache, by those of a token"),
    .unless(
      nil, "tokenHitRatioBound", \.tokenHitRatioBound,
      .exact,
      "of `opt`: no policy has a higher token hit ratio"),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    if hitBlocks > blocks { throw object["hitBlocks"].wrong("at most “blocks”") }
    if hitTokens > tokens { throw object["hitTokens"].wrong("at most “tokens”") }
  }
}
