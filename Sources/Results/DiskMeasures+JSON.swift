extension DiskMeasures {
  var json: JSON {
    [
      "round": .integer(round), "inlineThreshold": .integer(inlineThreshold),
      "pageSize": .integer(pageSize), "durability": .string(durability),
      "latency": [
        "unit": "ns", "read": read?.json ?? .null, "coldRead": coldRead?.json ?? .null,
        "write": write?.json ?? .null, "replace": replace?.json ?? .null,
      ],
      "bytesSet": .integer(bytesSet), "bytesWritten": .optional(bytesWritten),
      "writeAmplification": .optional(writeAmplification), "commits": .integer(commits),
      "longestLog": .integer(longestLog), "files": .integer(files),
      "allocatedBytes": .integer(allocatedBytes), "recovery": recovery?.json ?? .null,
      "sizes": .array(sizes.map(\.json)),
    ]
  }

  init(_ object: JSONObject) throws(ResultSetError) {
    self.init(
      round: try object.integer("round"),
      inlineThreshold: try object.integer("inlineThreshold"),
      pageSize: try object.integer("pageSize"), durability: try object.string("durability"))
    let latency = try object.object("latency")
    func summary(_ operation: String) throws(ResultSetError) -> LatencySummary? {
      guard let object = try latency.optionalObject(operation) else { return nil }
      return try LatencySummary(object)
    }
    read = try summary("read")
    coldRead = try summary("coldRead")
    write = try summary("write")
    replace = try summary("replace")
    bytesSet = try object.integer("bytesSet")
    bytesWritten = object.has("bytesWritten") ? try object.integer("bytesWritten") : nil
    commits = try object.integer("commits")
    longestLog = try object.integer("longestLog")
    files = try object.integer("files")
    allocatedBytes = try object.integer("allocatedBytes")
    if let recovery = try object.optionalObject("recovery") {
      self.recovery = try DiskRecovery(recovery)
    }
    sizes = try object.objects("sizes").map { object throws(ResultSetError) in
      try SizeTimes(object)
    }
  }
}

extension DiskRecovery {
  fileprivate var json: JSON {
    [
      "entries": .integer(entries), "lost": .integer(lost), "openSeconds": .number(openSeconds),
      "reconciledSeconds": .number(reconciledSeconds),
    ]
  }

  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    entries = try object.integer("entries")
    lost = try object.integer("lost")
    openSeconds = try object.number("openSeconds")
    reconciledSeconds = try object.number("reconciledSeconds")
  }
}

extension SizeTimes {
  fileprivate var json: JSON {
    [
      "from": .integer(from), "isInline": .boolean(isInline), "reads": .integer(reads),
      "read": .optional(read), "coldRead": .optional(coldRead), "writes": .integer(writes),
      "write": .optional(write), "replaces": .integer(replaces), "replace": .optional(replace),
    ]
  }

  fileprivate init(_ object: JSONObject) throws(ResultSetError) {
    self.init(
      from: try object.integer("from"), isInline: object.json["isInline"] == .boolean(true))
    reads = try object.integer("reads")
    read = try object.optionalNumber("read")
    coldRead = try object.optionalNumber("coldRead")
    writes = try object.integer("writes")
    write = try object.optionalNumber("write")
    replaces = try object.integer("replaces")
    replace = try object.optionalNumber("replace")
  }
}
