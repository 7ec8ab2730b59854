import Parameters

/// The output of TRAGEN, a generator of traces of content delivery networks, and the traces that its models are made of.
///
///     timestamp, object_id, object_size (Kb)
///     1532702631,0,26624
///
/// Times are in seconds, sizes in KiB unless the parameter says otherwise. Caffeine takes the sizes as they stand
/// (`scale=1`).
///
/// Such lines look like many others, so only files with that header or with `tragen` in their names are recognised.
/// Source: github.com/UMass-LIDS/Tragen; Sabnis and Sitaraman, IMC 2021.
struct TragenFormat: ColumnFormat {
  static let information = CatalogEntry(
    name: "tragen", summary: "TRAGEN's lines time,object,KiB; told by its header or its name",
    parameters: [
      Parameter(
        "scale", .bytes(in: 1...1 << 20), default: .integer(1024),
        help: "bytes of what sizes count in")
    ])

  let layout: ColumnLayout

  init(_ arguments: Arguments) {
    layout = ColumnLayout(
      columns: ["timestamp", "object_id", "object_size (kb)"], key: ["object_id"],
      size: "object_size (kb)", sizeUnit: UInt64(arguments.integer("scale")), time: "timestamp")
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    let header = sample.header(delimiter: UInt8(ascii: ","))
    if header.names.map({ $0.lowercased() }) == ["timestamp", "object_id", "object_size (kb)"] {
      return sample.isText ? .certain : .no
    }
    guard sample.name.contains("tragen") else { return .no }
    let splitter = FieldSplitter(delimiter: UInt8(ascii: ","), most: 4)
    let fields = splitter.fields
    return sample.recognised(as: .named) { line in
      splitter.split(line) == 3 && fields[0].trimmed.duration(unit: 1) != nil
        && fields[2].trimmed.wholeNumber != nil
    }
  }
}
