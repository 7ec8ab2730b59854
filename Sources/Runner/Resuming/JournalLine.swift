import Parameters
import Results

/// A line of a journal: an object whose last member is the checksum of the line without that member, XXH64 in 16
/// hexadecimal digits.
///
///     {"cell": "…", "run": {…}, "checksum": "9b1c6a0d5f3e2a47"}
package enum JournalLine {
  private static let memberBytes = ", \"checksum\": \"0123456789abcdef\"}".utf8.count

  /// The line of an object that is not empty.
  package static func bytes(of json: JSON) -> [UInt8] {
    let text = Array(json.text.utf8)
    return text.dropLast() + member(text) + [0x0A]
  }

  /// The object of a line as text; nil if it is not as it was written.
  package static func checked(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let text = line.dropLast(memberBytes) + [UInt8(ascii: "}")]
    return line.suffix(memberBytes).elementsEqual(member(Array(text))) ? text : nil
  }

  /// The checksum of an object's text, and its end.
  private static func member(_ text: [UInt8]) -> [UInt8] {
    let sum = String(text.withUnsafeBytes(XXHash64.checksum), radix: 16)
    let zeros = String(repeating: "0", count: 16 - sum.count)
    return Array(", \"checksum\": \"\(zeros)\(sum)\"}".utf8)
  }
}

extension Outcome {
  /// The outcome as a member of a line.
  package var member: (key: String, value: JSON) {
    switch self {
    case .measurement(let measurement): ("run", measurement.json)
    case .bound(let range): ("bound", ClosedRange<Double>?.format.write(range))
    case .curve(let curve): ("curve", curve.json)
    case .points(let values, let method, let seconds):
      (
        "points",
        [
          "method": .string(method.rawValue), "seconds": .number(seconds),
          "values": .array(
            values.map {
              .array(
                ([Double($0.capacity), $0.missRatio, $0.error, $0.largest] + $0.parts).map(
                  JSON.number))
            }),
        ]
      )
    }
  }

  package init(_ line: JSONNode) throws(ResultSetError) {
    switch line.keys.last {
    case "run": self = .measurement(try Measurement(line["run"]))
    case "curve": self = .curve(try MissRatioCurve(line["curve"]))
    case "bound": self = .bound(try line.value("bound"))
    case "points":
      let points = line["points"]
      let values: [[Double]] = try points.value("values")
      self = .points(
        try values.map { value throws(ResultSetError) in
          guard value.count >= 4, let capacity = Int(exactly: value[0]) else {
            throw points["values"].wrong("lists of four numbers or more")
          }
          return SampledMissRatio(
            capacity: capacity, missRatio: value[1], error: value[2],
            largest: value[3], parts: Array(value[4...]))
        }, try points.value("method"), seconds: try points.value("seconds"))
    default: throw line.wrong("a finished cell")
    }
  }
}
