import Parameters

/// Meta's traces of block storage (Tectonic), replayed by CacheLib: CSV with the header
///
///     op_time,block_id,block_id_size,io_size,io_offset,user_name,user_namespace,op_name,op_count,…
///     1697000001,40231,40,131072,262144,1,1,getChunkData.Permanent,2,host1,3
///
/// Times are seconds, sizes and offsets bytes within the block of storage, which is the volume here.
/// A line stands for `op_count` requests; `getChunkData` reads, `putChunk` writes. See
/// ``BlockRequests`` for keys and sizes; CacheLib caches segments of 128 KiB (`block=128KiB`).
///
/// Source: cachelib.org, “Evaluating SSD hardware for Facebook workloads”.
struct CacheLibBlockFormat: BlockFormat {
  static let information = CatalogEntry(
    name: "cachelib-block",
    summary: "Meta's block storage traces for CacheLib: CSV with block_id,io_size,io_offset,…",
    parameters: BlockRequests.parameters)

  static let layout = BlockLayout(
    header: "op_time,block_id,block_id_size,io_size,io_offset,user_name,user_namespace,op_name,"
      + "op_count,host_name,rs_shard_id",
    volume: [1], offset: 4, length: 3, operation: 7, isCutAtPoint: true,
    words: Words<TraceOperation>([(.read, "getchunkdata"), (.write, "putchunk")]), time: 0,
    timeUnit: .second, count: 8)

  let requests: BlockRequests
}
