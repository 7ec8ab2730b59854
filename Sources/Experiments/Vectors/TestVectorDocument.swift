import Parameters
import Results
import Runner

/// Test vectors as a file: `{"schema": "evictionlab.vectors/1", "vectors": […]}`.
///
/// One vector a line:
///
///     {"trace": "zipf.txt.zst", "requests": 200000, "requestsDigest": "9f86…", "policy": "slru",
///      "parameters": {"protected": "0.5"}, "capacity": 964, "unit": "objects", "seed": 42,
///      "hits": 145549, "evictions": 53487, "checkpoints": [[6685, "8c2f…"], …]}
///
/// Parameters are texts, as on the command line. `traceFormat` and `sequence` are optional.
package enum TestVectorDocument {
  /// The schema that documents of this kind name.
  package static let schema = "evictionlab.vectors/1"

  /// A document of vectors.
  package static func text(_ vectors: [TestVector]) -> String {
    (["schema": .string(schema), "vectors": .array(vectors.map(\.json))] as JSON).document
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - file: The name of the document in messages.
  /// - Throws: ``Results/ResultSetError`` when it is not JSON, has another schema, or lacks a value.
  package static func read(
    _ bytes: some Sequence<UInt8>, file: String
  ) throws(ResultSetError) -> [TestVector] {
    try JSONNode(reading: bytes, schema: schema, file: file).value("vectors")
  }
}

extension TestVector: Documented {
  package init() {
    self.init(
      trace: "", requests: 0, requestsDigest: "", policy: Specification(name: ""), capacity: 0,
      unit: .objects, seed: 0, hits: 0, checkpoints: [])
  }

  package static let fields: [Field<TestVector>] = [
    Field("trace", \.trace, "the trace's file name", .exact),
    .omittable(
      "traceFormat", \.traceFormat, "how the trace is stored, where that must be said", .exact),
    Field("requests", \.requests, "the requests that are run", .exact),
    Field("requestsDigest", \.requestsDigest, "SHA-256 of the requests", .exact),
    policyField,
    Field("capacity", \.capacity, "the capacity, in `unit`", .exact),
    Field("unit", \.unit, "what the capacity counts", .exact),
    Field("seed", \.seed, "the random seed", .exact),
    Field("hits", \.hits, "requests that found their object", .exact),
    .derived("evictions", \.evictions, "objects that the policy evicted", .exact),
    Field("checkpoints", \.checkpoints, "hashes of the first evictions", .exact),
    .omittable("sequence", \.sequence, "the numbers of the evicted keys", .exact),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    for (one, next) in zip(checkpoints, checkpoints.dropFirst())
    where one.evictions >= next.evictions {
      throw object["checkpoints"].wrong("in the order of their evictions")
    }
    if evictions != (try object.value("evictions") as Int) {
      throw object["evictions"].wrong("the number of the last checkpoint")
    }
  }

  /// The policy's name and its parameters, which are two members.
  private static var policyField: Field<TestVector> {
    let rows = [
      DocumentRow("policy", String.format, "the policy's name", .exact),
      DocumentRow(
        "parameters", .members, "its parameters as texts, as on the command line", .exact),
    ]
    return Field(rows: rows) { vector in
      let parameters = vector.policy.given.map { JSON.Member($0.key, .string($0.text)) }
      return [
        JSON.Member("policy", .string(vector.policy.name)),
        JSON.Member("parameters", .object(parameters)),
      ]
    } read: { vector, object throws(ResultSetError) in
      let parameters = try JSONFormat.members.read(object["parameters"])
      let text = try Measurement.label(of: object.value("policy"), parameters)
      do throws(SpecificationError) {
        vector.policy = try Specification(parsing: text)
      } catch {
        throw object["policy"].wrong("a policy with parameters")
      }
    }
  }
}

extension TestVector.Checkpoint: JSONValue {
  package static let format = JSONFormat<TestVector.Checkpoint>(
    "a pair such as [100, \"00f3…\"]", plural: "pairs such as [100, \"00f3…\"]",
    write: { .array([.integer($0.evictions), .string($0.hash.text)]) }
  ) {
    guard case .array(let pair) = $0, pair.count == 2, case .integer(let count) = pair[0],
      case .string(let text) = pair[1], count >= 0, let hash = EvictionHash(text)
    else { return nil }
    return TestVector.Checkpoint(evictions: count, hash: hash)
  }
}

extension UInt32: JSONValue {
  package static let format = JSONFormat<UInt32>(
    "a key number", plural: "key numbers", write: { .integer(Int($0)) }
  ) { if case .integer(let number) = $0 { UInt32(exactly: number) } else { nil } }
}
