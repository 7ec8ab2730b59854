import Parameters

/// The records of ``TwrFormat`` and, behind them, a `uint16` that is the key's name space: 22
/// bytes, as `twrNSBin.h` in https://github.com/1a1a11a/libCacheSim reads them.
struct TwrNSFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "twrNS", summary: "the records of twr with a name space; told by its name")

  static let isBinary = true
  static let layout: RecordLayout = {
    var layout = TwrFormat.layout
    layout.size = 22
    layout.classNumber = .unsigned(2, at: 20)
    return layout
  }()

  let keys = KeyKind.integer

  init(_ arguments: Arguments) {}

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.isBinary(named: "twrns") ? .certain : .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    try Self.layout.read(from: input, into: &builder)
  }
}
