/// A file of a kind that is met and not read, and the way to one that is.
struct UnreadFile {
  let problem: String
  let remedy: String

  /// A kind that the content tells; nil for others.
  init?(contentOf sample: TraceSample) {
    if sample.isText { return nil }
    if let packed = Self.packed.first(where: { $0.isBeginning(of: sample.head) }) {
      problem = "the file is packed by \(packed.name), which is not unpacked here"
      remedy = "unpack it on the way: \(packed.way) | evict … -"
    } else if let table = Self.tables.first(where: { $0.isBeginning(of: sample.head) }) {
      problem = "the file is \(table.name), which is not read"
      remedy = table.way
    } else {
      return nil
    }
  }

  /// A kind that the name tells of a file whose content tells nothing; nil for others.
  init?(nameOf sample: TraceSample) {
    guard let named = Self.named.first(where: { $0.isNamed(sample) }) else { return nil }
    problem = named.problem
    remedy = named.remedy
  }

  /// Bytes by which a kind is told, and what makes text of it.
  private struct Beginning {
    let name: String
    let bytes: [UInt8]
    var offset = 0
    let way: String

    init(_ name: String, _ bytes: [UInt8], at offset: Int = 0, _ way: String) {
      (self.name, self.bytes, self.offset, self.way) = (name, bytes, offset, way)
    }

    init(_ name: String, _ text: String, at offset: Int = 0, _ way: String) {
      self.init(name, Array(text.utf8), at: offset, way)
    }

    func isBeginning(of head: [UInt8]) -> Bool { head.dropFirst(offset).starts(with: bytes) }
  }

  private static let packed = [
    Beginning("bzip2", "1AY&SY", at: 4, "bzip2 -dc FILE"),
    Beginning("lz4", [0x04, 0x22, 0x4D, 0x18], "lz4 -dc FILE"),
    Beginning("lzip", "LZIP", "lzip -dc FILE"),
    Beginning("lzop", [0x89, 0x4C, 0x5A, 0x4F, 0x00], "lzop -dc FILE"),
    Beginning("compress", [0x1F, 0x9D], "gzip -dc FILE"),
    Beginning("snappy", [0xFF, 0x06, 0x00, 0x00, 0x73, 0x4E, 0x61, 0x50], "snzip -dc FILE"),
    Beginning("zip", [0x50, 0x4B, 0x03, 0x04], "unzip -p FILE"),
    Beginning("7-Zip", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7z x -so FILE"),
    Beginning("tar", "ustar", at: 257, "tar -xOf FILE"),
  ]

  private static let queries = "give its columns as CSV, for instance by "

  private static let tables = [
    Beginning(
      "Apache Parquet", "PAR1",
      queries + "duckdb -csv -c \"select key, size from 'FILE'\" | evict … -"),
    Beginning("Apache Arrow", "ARROW1", queries + "pyarrow.csv.write_csv"),
    Beginning("Apache ORC", "ORC", queries + "orc-contents FILE, or pyarrow.csv.write_csv"),
    Beginning(
      "Apache Avro", "Obj\u{1}", "give it as JSON lines, for instance by avro-tools tojson FILE"),
    Beginning("HDF5", [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A], queries + "h5dump, or pandas' to_csv"),
    Beginning(
      "an array of NumPy", [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59], queries + "numpy.savetxt"),
    Beginning(
      "a database of SQLite", "SQLite format 3\0",
      queries + "sqlite3 -csv FILE 'select key, size from TABLE' | evict … -"),
    Beginning(
      "a binary trace of Linux's block layer", [0x07, 0x74, 0x61, 0x65],
      "print it: blkparse -i FILE | evict … -"),
    Beginning("a binary trace of perf", "PERFILE2", "print it: perf script -i FILE"),
    Beginning(
      "a binary trace of RocksDB's block cache", "feedcafedeadbeef", at: 13,
      "print it: block_cache_trace_analyzer -block_cache_trace_path=FILE "
        + "-human_readable_trace_file_path=TRACE"),
    Beginning(
      "a capture of packets", [0xD4, 0xC3, 0xB2, 0xA1],
      queries + "tshark -r FILE -T fields -e http.request.uri"),
    Beginning(
      "a capture of packets", [0x0A, 0x0D, 0x0D, 0x0A],
      queries + "tshark -r FILE -T fields -e http.request.uri"),
  ]

  /// A kind that the file's name tells.
  private struct Named {
    let problem: String
    let remedy: String
    let isNamed: @Sendable (TraceSample) -> Bool
  }

  private static let named = [
    Named(
      problem: "LMCache's .lct traces are not read, as their layout is not published",
      remedy:
        "write a line per chunk with LMCache's own reader and give it as CSV: time,key,size,op"
    ) { $0.name.hasSuffix(".lct") },
    Named(
      problem: ".lcp traces of prefixes are not read, as their layout is not published",
      remedy: "write JSON lines with hash_ids (evict formats mooncake) with their authors' reader"
    ) { $0.name.hasSuffix(".lcp") },
    Named(
      problem: "fio's logs of latency, bandwidth and IOPS are measurements and no trace",
      remedy: "record the requests by fio --write_iolog=FILE, and read that"
    ) { $0.name.contains(/_(bw|iops|lat|clat|slat)(\.[0-9]+)?\.log$/) && $0.isText },
  ]
}
