import Parameters

/// Records of fixed size, written down as Python's `struct` module writes them.
///
///     binary:format=<IIIHHQQ:key=6:size=2
///
/// reads little-endian records of 32 bytes whose sixth field is the key and whose second the
/// size. Fields are numbered from 1, padding not counted, as libCacheSim numbers them;
/// ``StructNotation`` says which letters there are. A signed key is taken as 64 bits of two's
/// complement; a text (`16s`) is a key without the zeros at its end.
///
/// Without `format` a record is a key and nothing else, of `bits` bits in that `order`: the
/// traces of cache2k (32 bits) and of Corda and Scarab (64 bits), big-endian, as
/// https://github.com/ben-manes/caffeine reads them, and CloudPhysics' w106 and the
/// like (32 bits, little-endian). Nothing in such files says what they are, so they are told by those names.
struct BinaryFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "binary",
    summary: "records of fixed size in struct notation, or only keys; told by known names",
    parameters: [
      Parameter(
        "format", .text, default: nil,
        help: "a record's fields in Python's struct notation, such as <IIIHHQQ"),
      Parameter("key", fieldNumber, default: nil, help: "the key's field, from 1"),
      Parameter("size", fieldNumber, default: nil, help: "the field of the object's bytes, from 1"),
      Parameter("time", fieldNumber, default: nil, help: "the time's field, from 1"),
      Parameter("op", fieldNumber, default: nil, help: "the operation's field, from 1"),
      Parameter("ttl", fieldNumber, default: nil, help: "the time to live's field, from 1"),
      Parameter("class", fieldNumber, default: nil, help: "the class's (tenant's) field, from 1"),
      .unit(default: "s"),
      Parameter(
        "ops", .choice(["libcachesim", "scsi"]), default: .text("libcachesim"),
        help: "whose numbers operations are; a field c holds a letter such as r or w"),
      Parameter(
        "bits", .choice(["32", "64"]), default: nil, help: "without format: a key's width, else 64"),
      Parameter(
        "order", .choice(["big", "little"]), default: nil,
        help: "without format: the order of a key's bytes, else big"),
    ])

  private static let fieldNumber = Parameter.Kind.integer(in: 1...TraceInput.longestLine)
  private static let fieldNames = ["key", "size", "time", "op", "ttl", "class"]

  static let isBinary = true
  private let layout: RecordLayout
  var keys: KeyKind { layout.keys }

  init(_ arguments: Arguments) throws(TraceError) {
    let given = arguments.given.keys
    guard case .text(let format) = arguments.value("format") else {
      if let name = (Self.fieldNames + ["unit", "ops"]).first(where: { given.contains($0) }) {
        throw .usage(
          problem: "binary:\(name) needs the fields of a record",
          remedy: "give them, for instance binary:format=<IIIHHQQ:key=6:size=2")
      }
      let width = arguments.given["bits"] == .text("32") ? 4 : 8
      var key = RecordField.unsigned(width, at: 0)
      key.isBigEndian = arguments.given["order"] != .text("little")
      layout = RecordLayout(size: width, key: key)
      return
    }
    if let name = ["bits", "order"].first(where: { given.contains($0) }) {
      throw .usage(
        problem: "binary:\(name) and binary:format say the same thing",
        remedy: "leave \(name) away; the first character of format is the order, < or >")
    }
    layout = try Self.layout(StructNotation(format), format, arguments)
  }

  private static func layout(
    _ record: StructNotation, _ format: String, _ arguments: Arguments
  ) throws(TraceError) -> RecordLayout {
    func refusal(_ problem: String, _ remedy: String) -> TraceError {
      .usage(problem: "binary:format=\(format): \(problem)", remedy: remedy)
    }
    var chosen: [String: RecordField] = [:]
    for name in fieldNames {
      let isOnly = name == "key" && record.fields.count == 1
      guard case .integer(let number) = arguments.value(name) ?? (isOnly ? .integer(1) : nil)
      else { continue }
      guard number <= record.fields.count else {
        throw refusal(
          "there is no field \(number) for \(name)",
          "the record has \(record.fields.count), numbered from 1")
      }
      let field = record.fields[number - 1]
      if field.isText, name != "key" {
        throw refusal("field \(number) is a text and no \(name)", "name a number's field")
      }
      if field.isFloatingPoint, !["size", "time", "ttl"].contains(name) {
        throw refusal("field \(number) is floating point and no \(name)", "name another field")
      }
      chosen[name] = field
    }
    guard let key = chosen["key"] else {
      throw refusal(
        "nothing says which of \(record.fields.count) fields is the key",
        "name it, for instance key=1")
    }
    var layout = RecordLayout(size: record.size, key: key)
    layout.sizes = chosen["size"].map { [$0] } ?? []
    layout.time = chosen["time"]
    layout.ttl = chosen["ttl"]
    layout.classNumber = chosen["class"]
    layout.operation = chosen["op"]
    layout.operations =
      chosen["op"]?.kind == .character
      ? .letters : arguments.text("ops") == "scsi" ? .scsi : .libCacheSim
    layout.unit = arguments.unit
    return layout
  }

  /// The words in the names of traces that are keys and nothing else, `#` for a number, and how
  /// those are read.
  private static let known: [(words: [String], specification: Specification)] = [
    (["scarab"], "binary"), (["corda"], "binary"), (["cache2k"], "binary:bits=32"),
    (["cloudphysics", "w#"], "binary:bits=32:order=little"),
  ]

  /// The formats of traces that one word names.
  static var specifications: [String: Specification] {
    let named = known.filter { $0.words.count == 1 }
    return Dictionary(uniqueKeysWithValues: named.map { ($0.words[0], $0.specification) })
  }

  private static func known(_ sample: TraceSample) -> Specification? {
    let words = TraceSample.words(of: sample.name)
    let shapes = words + words.map { $0.replacing(/[0-9]+$/, with: "#") }
    return known.first { $0.words.allSatisfy(shapes.contains) }?.specification
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.recognition(ofBinary: known(sample) != nil)
  }

  static func specification(of sample: TraceSample) -> Specification {
    known(sample) ?? Specification(name: information.name)
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    try layout.read(from: input, into: &builder)
  }
}
