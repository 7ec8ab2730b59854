import Parameters

/// Test vectors as a file: `{"schema": "evictionlab.vectors/1", "vectors": […]}`.
///
/// One vector a line:
///
///     {"trace": "zipf.txt.zst", "requests": 200000, "requestsDigest": "9f86…", "policy": "slru",
///      "parameters": {"protected": "0.5"}, "capacity": 964, "unit": "objects", "seed": 42,
///      "hits": 145549, "evictions": 53487, "checkpoints": [[6685, "8c2f…"], …]}
///
/// Parameters are texts, as on the command line. `traceFormat` and `sequence` are optional.
public enum TestVectorDocument {
  /// What documents of this kind say of themselves.
  public static let schema = "evictionlab.vectors/1"

  /// A document of vectors.
  public static func text(_ vectors: [TestVector]) -> String {
    (["schema": .string(schema), "vectors": .array(vectors.map(\.json))] as JSON).document
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - file: What messages call it.
  /// - Throws: ``ResultSetError`` when it is not JSON, has another schema, or lacks a value.
  public static func read(
    _ bytes: some Sequence<UInt8>, file: String
  ) throws(ResultSetError) -> [TestVector] {
    let root = try JSONObject(reading: bytes, schema: schema, file: file)
    return try root.objects("vectors").map { object throws(ResultSetError) in
      try TestVector(object)
    }
  }
}

extension TestVector {
  fileprivate var json: JSON {
    let parameters = policy.given.map { JSON.Member($0.key, .string($0.text)) }
    var members: [JSON.Member] = [JSON.Member("trace", .string(trace))]
    if let traceFormat { members.append(JSON.Member("traceFormat", .string(traceFormat))) }
    members += [
      JSON.Member("requests", .integer(requests)),
      JSON.Member("requestsDigest", .string(requestsDigest)),
      JSON.Member("policy", .string(policy.name)),
      JSON.Member("parameters", .object(parameters)),
      JSON.Member("capacity", .integer(capacity)),
      JSON.Member("unit", .string(unit.rawValue)),
      JSON.Member("seed", .integer(seed)),
      JSON.Member("hits", .integer(hits)),
      JSON.Member("evictions", .integer(evictions)),
      JSON.Member(
        "checkpoints",
        .array(checkpoints.map { .array([.integer($0.evictions), .string($0.hash.text)]) })),
    ]
    if let sequence {
      members.append(JSON.Member("sequence", .array(sequence.map { .integer(Int($0)) })))
    }
    return .object(members)
  }

  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    trace = try object.string("trace")
    traceFormat = try object.optionalString("traceFormat")
    requests = try object.integer("requests")
    requestsDigest = try object.string("requestsDigest")
    policy = try TestVector.policy(object)
    capacity = try object.integer("capacity")
    unit = try object.choice("unit")
    seed = try object.integer("seed")
    hits = try object.integer("hits")
    checkpoints = try object.array("checkpoints").map { element throws(ResultSetError) in
      guard case .array(let pair) = element, pair.count == 2, case .integer(let count) = pair[0],
        case .string(let text) = pair[1], count >= 0, let hash = EvictionHash(text)
      else { throw object.wrong("checkpoints", "a list of pairs such as [100, \"00f3…\"]") }
      return Checkpoint(evictions: count, hash: hash)
    }
    for (one, next) in zip(checkpoints, checkpoints.dropFirst())
    where one.evictions >= next.evictions {
      throw object.wrong("checkpoints", "in the order of their evictions")
    }
    if evictions != (try object.integer("evictions")) {
      throw object.wrong("evictions", "the number of the last checkpoint")
    }
    if object.has("sequence") {
      sequence = try object.array("sequence").map { element throws(ResultSetError) in
        guard case .integer(let number) = element, let slot = UInt32(exactly: number) else {
          throw object.wrong("sequence", "a list of key numbers")
        }
        return slot
      }
    }
  }

  private static func policy(_ object: JSONObject) throws(ResultSetError) -> Specification {
    var text = try object.string("policy")
    for member in try object.members("parameters") {
      text += ":\(member.key)=\(member.value.plainText)"
    }
    do throws(SpecificationError) {
      return try Specification(parsing: text)
    } catch {
      throw object.wrong("policy", "a policy with parameters")
    }
  }
}
