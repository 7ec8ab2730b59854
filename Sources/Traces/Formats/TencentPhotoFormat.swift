import Parameters

/// Tencent's traces of the photo store QQPhoto (SNIA IOTTA 27476).
///
///     20160201164559 b4d3d7d28ae8dc6fb3e14a6ea2a4ed6d5d8f8e3d 5 m 24085 0 PHONE 12
///
/// The columns are time, photo, image format (0 is JPEG, 5 WebP), size class, bytes, whether their cache had it, terminal and
/// response time. A key is `PHOTO:FORMAT:CLASS`: each form of a photo is an object. Caffeine takes the photo alone, and
/// JPEG and WebP only.
///
/// Source: iotta.snia.org/traces/parallel/27476; Zhou et al., ICS 2018.
struct TencentPhotoFormat: ColumnFormat, FixedFormat {
  static let information = CatalogEntry(
    name: "tencent-photo",
    summary: "Tencent's photo store traces: time photo format class bytes hit terminal latency")

  let layout = ColumnLayout(
    delimiter: UInt8(ascii: " "),
    columns: ["time", "photo", "format", "class", "bytes", "hit", "terminal", "latency"],
    key: ["photo", "format", "class"], size: "bytes", time: "time", notation: .digits)

  static func recognition(of sample: TraceSample) -> Recognition {
    let splitter = FieldSplitter(delimiter: UInt8(ascii: " "), most: 9)
    let fields = splitter.fields
    return sample.recognised(as: .certain) { line in
      splitter.split(line) == 8 && fields[0].digitsTime != nil
        && fields[1].allSatisfy { UnsafeRawBufferPointer.hexDigit($0) != nil }
        && fields[2].wholeNumber != nil && fields[3].count == 1 && fields[4].wholeNumber != nil
        && fields[5].count == 1 && fields[5].wholeNumber ?? 2 < 2
    }
  }
}
