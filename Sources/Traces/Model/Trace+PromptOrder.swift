extension Trace {
  /// The trace with its prompts in order of time, and those of one time as they were; the trace itself where they are
  /// in that order, or have no times. O(requests + prompts × log prompts).
  func promptsInOrderOfTime() -> Trace {
    guard let prompts, let groupStarts, let times else { return self }
    let starts = groupStarts.map(Int.init) + [requests]
    let begins = starts.dropLast().map { times[$0] }
    if zip(begins, begins.dropFirst()).allSatisfy({ $0 <= $1 }) { return self }
    let order = begins.indices.sorted { (begins[$0], $0) < (begins[$1], $1) }
    var rows = ColumnBuffer<UInt64>()
    var newStarts = ColumnBuffer<UInt64>()
    for prompt in order {
      newStarts.append(UInt64(rows.count))
      for row in starts[prompt]..<starts[prompt + 1] { rows.append(UInt64(row)) }
    }
    let places = rows.freeze()
    return subset(
      places, times: Column(places.lazy.map { times[Int($0)] }), groupStarts: newStarts.freeze(),
      prompts: prompts.reordered(order, requests: places))
  }
}

extension PromptColumns {
  /// The prompts in another order, with the sessions numbered anew in order of first appearance.
  fileprivate func reordered(_ order: [Int], requests: Column<UInt64>) -> PromptColumns {
    var numbers: [UInt32: UInt32] = [:]
    var names: [String] = []
    let sessions = sessions.map { sessions in
      order.map { prompt in
        let session = sessions[prompt]
        if let number = numbers[session] { return number }
        let number = UInt32(numbers.count)
        numbers[session] = number
        if !sessionNames.isEmpty { names.append(sessionNames[Int(session)]) }
        return number
      }
    }
    return PromptColumns(
      blockTokens, tokens.isEmpty ? [] : requests.map { tokens[Int($0)] },
      order.map { lengths[$0] }, sessions, names)
  }

  /// The prompts of several files of one trace, one after the other; nil unless all have some. Sessions of one name are
  /// one session.
  ///
  /// - Parameters:
  ///   - files: The prompts of each.
  ///   - ids: The requests' keys in the whole trace.
  ///   - name: The name of the trace.
  /// - Throws: `usage` where the blocks of one file hold other numbers of tokens than those of another.
  static func joined(
    _ files: [PromptColumns?], ids: Column<UInt32>, distinct: Int, _ name: String
  ) throws(TraceError) -> PromptColumns? {
    let present = files.compactMap(\.self)
    guard let first = present.first, present.count == files.count else { return nil }
    if let other = present.first(where: { $0.blockTokens != first.blockTokens }) {
      let blocks = [first, other].map { $0.blockTokens.map { "\($0) tokens" } ?? "unequal tokens" }
      throw .usage(
        problem: "\(name): blocks of \(blocks[0]) and of \(blocks[1]) are no blocks of one cache",
        remedy: "join files whose blocks hold equally many tokens")
    }
    let tokens = present.flatMap(\.tokens)
    if !tokens.isEmpty {
      var known = [UInt32?](repeating: nil, count: distinct)
      for (id, count) in zip(ids, tokens) {
        if let earlier = known[Int(id)], earlier != count {
          throw .usage(
            problem: "\(name): a block has \(earlier) tokens in one file and \(count) in another",
            remedy: "join files with the same lists of lengths")
        }
        known[Int(id)] = count
      }
    }
    var numbers: [String: UInt32] = [:]
    var names: [String] = []
    let sessions = present.map { file in
      let own = file.sessionNames.map { name in
        if let number = numbers[name] { return number }
        let number = UInt32(names.count)
        numbers[name] = number
        names.append(name)
        return number
      }
      return file.sessions.map { $0.map { own[Int($0)] } }
    }
    let haveSessions = sessions.allSatisfy { $0 != nil }
    return PromptColumns(
      first.blockTokens, tokens, present.flatMap(\.lengths),
      haveSessions ? sessions.flatMap { $0 ?? [] } : nil, haveSessions ? names : [])
  }
}
