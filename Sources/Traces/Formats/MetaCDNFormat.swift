import Parameters

/// Meta's traces of its content delivery network of 2023, for CacheLib: CSV with the header
///
///     timestamp,cacheKey,OpType,objectSize,responseSize,responseHeaderSize,rangeStart,rangeEnd,TTL,SamplingRate,cache_hit,…
///     1679500000,5133,1,92160,4096,300,0,4095,86400,1,0,0,1,7,2
///
/// Times and times to live are seconds. A size is `objectSize`, the whole object's, of which a request for a range sends
/// less. Each line is a get; what `OpType` and the further columns mean is not documented, and they are not read.
///
/// Source: cachelib.org, “Evaluating SSD hardware for Facebook workloads”; libCacheSim's catalogue of data sets.
struct MetaCDNFormat: ColumnFormat, FixedFormat {
  static let information = CatalogEntry(
    name: "meta-cdn",
    summary: "Meta's CDN traces: CSV with timestamp,cacheKey,OpType,objectSize,…, told by header")

  let layout = ColumnLayout(
    columns: ["timestamp", "cachekey", "optype", "objectsize"], key: ["cachekey"],
    size: "objectsize", time: "timestamp", ttl: "ttl")

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.isText && Self().layout.isNamed(in: sample) ? .certain : .no
  }
}
