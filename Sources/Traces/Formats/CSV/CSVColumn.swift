/// What a column of a CSV trace may hold.
enum CSVColumn: String, CaseIterable {
  case key, time, size, operation, cost, ttl
  case className = "class"

  /// The names that a header may give it, in lower case, the more telling first.
  var names: [String] {
    switch self {
    case .key:
      [
        "key", "id", "obj_id", "object_id", "objid", "objectid", "obj", "object", "lbn", "lba",
        "block", "url", "uri", "item", "key_id",
      ]
    case .time:
      ["time", "timestamp", "ts", "clock_time", "op_time", "request_time"].flatMap { name in
        [name] + CSVHeader.units.map { "\(name)_\($0.name)" }
      }
    case .size: ["size", "bytes", "length", "obj_size", "object_size", "objsize", "size_bytes"]
    case .operation: ["operation", "op", "opcode"]
    case .cost: ["cost", "penalty", "miss_cost", "miss_penalty"]
    case .ttl: ["ttl", "time_to_live"]
    case .className: ["class", "tenant", "namespace"]
    }
  }

  /// What it is, for help.
  var meaning: String {
    switch self {
    case .key: "the key"
    case .time: "the time of the request"
    case .size: "the object's bytes"
    case .operation: "what the request does"
    case .cost: "the penalty of a miss"
    case .ttl: "how long the object lives"
    case .className: "the tenant or class"
    }
  }

  func isWanted(by columns: TraceColumns) -> Bool {
    switch self {
    case .key: true
    case .time: columns.contains(.times)
    case .size: columns.contains(.sizes)
    case .operation: columns.contains(.operations)
    case .cost: columns.contains(.costs)
    case .ttl: columns.contains(.ttls)
    case .className: columns.contains(.classes)
    }
  }
}
