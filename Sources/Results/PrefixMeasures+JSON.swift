extension PrefixSetup.Definition: JSONValue {}
extension PrefixSetup.Residency: JSONValue {}

extension PrefixMeasures: Documented {
  package static let blank = PrefixMeasures()
  package static let fields: [Field<PrefixMeasures>] = [
    Field("definition", \.setup.definition, "the definition of the counted ratio"),
    Field("residency", \.setup.residency, "the blocks that may be evicted"),
    Field("prompts", \.prompts, .count, "prompts counted: those of the warm-up are not"),
    Field("blocks", \.blocks, .count, "their blocks"),
    Field("hitBlocks", \.hitBlocks, .count, "blocks of their longest resident prefixes"),
    Field("tokens", \.tokens, .count, "their tokens"),
    Field("hitTokens", \.hitTokens, .count, "tokens of their longest resident prefixes"),
    .derived("tokenHitRatio", \.tokenHitRatio, "`hitTokens` / `tokens`"),
    Field("meanHitRatio", \.meanHitRatio, "the mean of hit tokens / tokens over the prompts"),
    .derived("speedup", \.speedup, "`tokens` / (`tokens` − `hitTokens`)"),
    .unless(
      nil, "sessionHitRatio", \.sessionHitRatio,
      "tokens hit in blocks that the same session requested last, as a fraction of `tokens`"),
    .unless(0, "orphans", \.orphans, "resident blocks behind one that was not"),
    .unless(nil, "bytes", \.bytes, "bytes of the cache, by those of a token"),
    .unless(
      nil, "tokenHitRatioBound", \.tokenHitRatioBound,
      "of `opt`: no policy has a higher token hit ratio"),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    if hitBlocks > blocks { throw object["hitBlocks"].wrong("at most “blocks”") }
    if hitTokens > tokens { throw object["hitTokens"].wrong("at most “tokens”") }
  }
}
