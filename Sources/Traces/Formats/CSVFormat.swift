import Parameters

/// Columns of text.
struct CSVFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "csv", summary: "text columns with or without a header; key, time, size and more",
    parameters: [
      Parameter("key", .text, default: nil, help: "the key's column, by name or number from 1")
    ])

  let keys = KeyKind.text

  init(_ arguments: Arguments) {}

  static func recognition(of sample: TraceSample) -> Recognition { .no }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {}
}
