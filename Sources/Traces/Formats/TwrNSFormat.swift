import Parameters

/// The records of ``TwrFormat`` and, behind them, a `uint16` that is the key's name space: 22
/// bytes, as `twrNSBin.h` in https://github.com/1a1a11a/libCacheSim reads them.
struct TwrNSFormat: RecordFormat {
  static let information = CatalogEntry(
    name: "twrNS", summary: "the records of twr with a name space; told by its name")

  static let layout: RecordLayout = {
    var layout = TwrFormat.layout
    layout.size = 22
    layout.classNumber = .unsigned(2, at: 20)
    return layout
  }()

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.recognition(ofBinary: sample.isNamed("twrns"))
  }
}
