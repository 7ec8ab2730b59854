import Parameters

/// The accesses to RocksDB's block cache as its `block_cache_trace_analyzer` prints them.
///
///     1571771400000000,17,9,4096,0,default,2,43,1,0,5,3,120,0,1,60,1,99,24,20,81920
///
/// The 21 columns are time in microseconds, block, its type and size, number and name of the column family, level, file, caller,
/// whether a miss is inserted, six of a Get, and more. A key is the block's number; the column family is the class.
/// A size is the block's, 0 where the trace has none.
///
/// The binary trace is refused, with the command that prints it.
/// Source: github.com/facebook/rocksdb/wiki, “Block cache analysis and simulation tools”.
struct RocksDBFormat: ColumnFormat, FixedFormat {
  static let information = CatalogEntry(
    name: "rocksdb",
    summary: "RocksDB's block cache traces, printed: time,block,type,size,family,… of 21 columns")

  let layout = ColumnLayout(
    columns: [
      "access_timestamp", "block_id", "block_type", "block_size", "cf_id", "cf_name", "level",
      "sst_fd_number",
      "caller", "no_insert", "get_id", "get_key_id", "get_referenced_data_size", "is_cache_hit",
      "get_referenced_key_exist_in_block", "num_keys_in_block", "table_id", "seq_no",
      "block_key_size", "key_size", "block_offset",
    ], key: ["block_id"], size: "block_size", time: "access_timestamp",
    notation: .number(of: .microsecond), className: "cf_name")

  static func recognition(of sample: TraceSample) -> Recognition {
    let columns = Self().layout.columns.count
    let splitter = FieldSplitter(delimiter: UInt8(ascii: ","), most: columns + 1)
    let fields = splitter.fields
    return sample.recognised(as: .certain) { line in
      splitter.split(line) == columns
        && (0..<columns).allSatisfy { $0 == 5 || fields[$0].wholeNumber != nil }
        && fields[2].wholeNumber ?? 0 < 32 && fields[9].wholeNumber ?? 2 < 2
        && fields[13].wholeNumber ?? 2 < 2
    }
  }
}
