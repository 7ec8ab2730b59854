extension Trace {
  /// Several traces as one, one after the other: one space of keys, and the columns that all of
  /// them have. Times are as they were, so that they may step back where a trace begins; only prompts with times are
  /// put in order of time.
  ///
  /// A number and its decimal text are the same key. O(requests and distinct keys of all).
  ///
  /// - Throws: `tooManyKeys`, `tooManyBytes`; `usage` where blocks of prompts don't fit together.
  static func joined(
    _ traces: [Trace], name: String, format: String
  ) throws(TraceError) -> Trace {
    let integers = traces.compactMap(\.integerKeys)
    let (places, identities): ([Column<UInt32>], KeyIdentities)
    if integers.count == traces.count {
      let (numbered, values) = try numbered(integers, name)
      (places, identities) = (numbered, .integers(values))
    } else {
      let (numbered, hashes) = try numbered(traces.map(\.textIdentities), name)
      (places, identities) = (numbered, .texts(hashes))
    }
    let (classes, classNames) = joinedClasses(traces)
    let requests = joinedRequests(traces, places)
    let ids = requests == nil ? mapped(traces.map(\.ids), through: places) : Column([])
    let sizes = joinedSizes(traces, ids)
    guard sizes.map({ $0.withUnsafeBufferPointer { $0.total() } }) ?? 0 <= mostBytes else {
      throw .tooManyBytes(file: name)
    }
    return try Trace(
      name: name, format: format,
      ids: ids, identities: identities,
      sizes: sizes, times: requests == nil ? concatenation(traces.map(\.times)) : nil,
      operations: concatenation(traces.map(\.operations)),
      ttls: concatenation(traces.map(\.ttls)), costs: concatenation(traces.map(\.costs)),
      classes: classes, classNames: classNames,
      keyLengths: joinedLengths(traces, places, distinct: identities.count),
      groupStarts: joinedGroups(traces), keyTexts: joinedTexts(traces, places),
      prompts: PromptColumns.joined(
        traces.map(\.prompts), ids: requests?.ids ?? ids, distinct: identities.count, name),
      formatReasons: traces.flatMap(\.formatReasons).reduce(into: []) { known, reason in
        if !known.contains(reason) { known.append(reason) }
      }, loss: traces.reduce(RecordingLoss()) { $0 + $1.loss },
      promptRequests: requests
    ).promptsInOrderOfTime()
  }

  private var textIdentities: Column<KeyHash> {
    switch identities {
    case .integers(let values): Column(values.lazy.map { KeyHash(decimal: $0) })
    case .texts(let hashes): hashes
    }
  }

  /// For each trace the common id of each of its keys; and what identifies the common keys.
  private static func numbered<Key: TableKey>(
    _ keys: [Column<Key>], _ name: String
  ) throws(TraceError) -> ([Column<UInt32>], Column<Key>) {
    var table = KeyTable<Key>()
    var places: [Column<UInt32>] = []
    for keys in keys {
      var ids = ColumnBuffer<UInt32>()
      let isWithinLimit = keys.withUnsafeBufferPointer { keys in
        var first = 0
        while first < keys.count {
          // Keys are numbered in order of first appearance in their own trace, so also here.
          let count = min(KeyTable<Key>.block, keys.count - first)
          let base = keys.baseAddress.unsafelyUnwrapped + first
          guard table.resolve(base, count: count, into: ids.reserve(count)) else { return false }
          ids.commit(count)
          first += count
        }
        return true
      }
      guard isWithinLimit else { throw .tooManyKeys(file: name) }
      places.append(ids.freeze())
    }
    return (places, table.takeIdentities())
  }

  private static func mapped(
    _ columns: [Column<UInt32>], through places: [Column<UInt32>]
  ) -> Column<UInt32> {
    var all = ColumnBuffer<UInt32>()
    for (column, places) in zip(columns, places) {
      let target = all.reserve(column.count)
      column.withUnsafeBufferPointer { values in
        places.withUnsafeBufferPointer { places in
          for index in 0..<values.count { target[index] = places[Int(values[index])] }
        }
      }
      all.commit(column.count)
    }
    return all.freeze()
  }

  /// The requests of traces that were all read as such of prompts; nil for others.
  private static func joinedRequests(
    _ traces: [Trace], _ places: [Column<UInt32>]
  ) -> PromptRequests? {
    let present = traces.compactMap(\.promptRequests)
    guard present.count == traces.count, let starts = joinedGroups(traces) else { return nil }
    var chains = BlockPathBuffer()
    for (trace, places) in zip(present, places) {
      for prompt in trace.prompts {
        chains.append(trace.chains, prompt, count: trace.requests(of: prompt).count) {
          places[Int($0)]
        }
      }
    }
    return PromptRequests(
      chains: chains.freeze(), promptTimes: concatenation(present.map(\.promptTimes)),
      starts: starts, count: present.reduce(0) { $0 + $1.count })
  }

  /// The columns one after the other; nil when one is missing.
  private static func concatenation<Element>(_ columns: [Column<Element>?]) -> Column<Element>? {
    concatenated(columns)?.freeze()
  }

  private static func concatenated<Element>(
    _ columns: [Column<Element>?]
  ) -> ColumnBuffer<Element>? {
    let present = columns.compactMap { $0 }
    guard present.count == columns.count else { return nil }
    var all = ColumnBuffer<Element>()
    for column in present {
      column.withUnsafeBufferPointer { values in
        if let base = values.baseAddress { all.append(base, count: values.count) }
      }
    }
    return all
  }

  /// The sizes one after the other. A size that one trace does not tell, an earlier one may have told.
  private static func joinedSizes(_ traces: [Trace], _ ids: Column<UInt32>) -> Column<UInt64>? {
    guard let sizes = concatenated(traces.map(\.sizes)) else { return nil }
    if let values = sizes.elements {
      let values = UnsafeMutableBufferPointer(start: values, count: sizes.count)
      if values.contains(unknownSize) {
        var told = ToldSizes()
        ids.withUnsafeBufferPointer { ids in
          if let ids = ids.baseAddress { _ = told.resolve(values, of: ids) }
        }
      }
    }
    return sizes.freeze()
  }

  private static func joinedClasses(_ traces: [Trace]) -> (Column<UInt32>?, [String]) {
    let columns = traces.compactMap(\.classes)
    guard columns.count == traces.count else { return (nil, []) }
    var names: [String] = []
    var numbers: [String: UInt32] = [:]
    let places = traces.map { trace in
      Column(
        trace.classNames.map { name in
          if let number = numbers[name] { return number }
          let number = UInt32(names.count)
          numbers[name] = number
          names.append(name)
          return number
        })
    }
    return (mapped(columns, through: places), names)
  }

  private static func joinedLengths(
    _ traces: [Trace], _ places: [Column<UInt32>], distinct: Int
  ) -> Column<UInt32>? {
    let columns = traces.compactMap(\.keyLengths)
    guard columns.count == traces.count else { return nil }
    var lengths = [UInt32](repeating: 0, count: distinct)
    for (column, places) in zip(columns, places) {
      for id in column.indices { lengths[Int(places[id])] = column[id] }
    }
    return Column(lengths)
  }

  /// The texts of the common keys, a number's its decimal text; nil where one is missing or all
  /// keys are numbers.
  private static func joinedTexts(
    _ traces: [Trace], _ places: [Column<UInt32>]
  ) -> KeyTexts? {
    guard traces.contains(where: { $0.keyTexts != nil }),
      traces.allSatisfy({ $0.keyTexts != nil || $0.integerKeys != nil })
    else { return nil }
    var all = KeyTextBuffer()
    for (trace, places) in zip(traces, places) {
      // Common keys are numbered in the order of these.
      for id in places.indices where Int(places[id]) == all.count {
        if let texts = trace.keyTexts {
          texts.withBytes(of: id) { all.append($0) }
        } else if let key = trace.integerKeys?[id] {
          Array("\(key)".utf8).withUnsafeBytes { all.append($0) }
        }
      }
    }
    return all.freeze()
  }

  private static func joinedGroups(_ traces: [Trace]) -> Column<UInt64>? {
    let columns = traces.compactMap(\.groupStarts)
    guard columns.count == traces.count else { return nil }
    var starts = ColumnBuffer<UInt64>()
    var before: UInt64 = 0
    for (trace, column) in zip(traces, columns) {
      for start in column { starts.append(start + before) }
      before += UInt64(trace.requests)
    }
    return starts.freeze()
  }
}
