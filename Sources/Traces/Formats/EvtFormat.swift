import Parameters

/// This project's compact format, suffix `.evtrace`: the columns of a ``Trace`` as they stand in
/// memory, so that loading copies them there and parses nothing.
///
/// Everything is little-endian. A header of 256 bytes:
///
///     0    8 bytes  89 45 56 54 0D 0A 1A 0A
///     8    uint32   version, 1
///     12   uint32   keys: 0 whole numbers, 1 texts
///     16   uint64   requests, at least 1
///     24   uint64   distinct keys
///     32   uint64   bytes of the file
///     40   11 × (uint64 bytes, uint64 checksum), one for each section; 0 where it is absent
///     216  uint64   1 where the recording was stopped before the program ended
///     224  uint64   events that the recording dropped
///     232  zeros
///     248  uint64   checksum of these 256 bytes, taken with 0 in this place
///
/// Then the sections, each followed by zeros up to a multiple of 64 bytes:
///
///     0  ids         uint32 a request: its key, numbered from 0 in order of first appearance
///     1  identities  a key: uint64, its value; or 2 × uint64, MurmurHash3_x64_128 of its text
///     2  sizes       uint64 a request, bytes
///     3  times       int64 a request, nanoseconds
///     4  operations  uint8 a request: get, set, add, delete, replace, cas, append, prepend,
///                    incr, decr, read, write, from 0
///     5  ttls        int64 a request, nanoseconds; 0 for none
///     6  costs       float64 a request
///     7  classes     uint32 a request: a place among the names
///     8  names       of the classes: each a uint32, its bytes, then these, UTF-8
///     9  lengths     uint32 a key: bytes of its text
///     10 groups      uint64 a group of requests that were made together: its first, from 0
///
/// A checksum is XXH64, seed 0, of the section and the zeros behind it. The header and the
/// sections that are loaded are checked; with ``TraceColumns/all``, everything is. What is loaded
/// stays as it was, whatever becomes of the file.
struct EvtFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "evt", summary: "this project's columns, copied and not parsed; suffix .evtrace")

  static let suffix = ".evtrace"
  static let isBinary = true
  static let numbersKeys = true

  let keys = KeyKind.integer

  static func recognition(of sample: TraceSample) -> Recognition {
    let isNamed = sample.name.hasSuffix(suffix)
    // What is cut off within the first bytes may look like a text.
    let begins = EvtHeader.magic.starts(with: sample.head.prefix(EvtHeader.magic.count))
    if begins, isNamed || sample.head.count >= EvtHeader.magic.count { return .certain }
    return sample.recognition(ofBinary: isNamed)
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let reader = try EvtReader(input, wanted: builder.wanted)
    builder.take(
      try reader.trace(
        name: builder.name, format: builder.format, reasons: builder.formatReasons,
        limit: builder.limit))
  }
}
