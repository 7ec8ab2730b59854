/// The purpose of a column of a CSV trace.
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

  /// Its meaning, for help, and the trace's column that it becomes; none for the key.
  var use: (meaning: String, column: TraceColumns) {
    switch self {
    case .key: ("the key", [])
    case .time: ("the time of the request", .times)
    case .size: ("the object's bytes", .sizes)
    case .operation: ("what the request does", .operations)
    case .cost: ("the penalty of a miss", .costs)
    case .ttl: ("how long the object lives", .ttls)
    case .className: ("the tenant or class", .classes)
    }
  }
}
