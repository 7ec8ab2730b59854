extension Trace {
  /// The trace with its prompts in order of time, and those of one time as they were; the trace itself where they are
  /// in that order, or have no times. Prompts have no columns but ids and times. O(requests + prompts × log prompts).
  func promptsInOrderOfTime() -> Trace {
    guard let prompts, let groupStarts, let begins = groupTimes else { return self }
    if zip(begins, begins.dropFirst()).allSatisfy({ $0 <= $1 }) { return self }
    let order = begins.indices.sorted { (begins[$0], $0) < (begins[$1], $1) }
    let starts = groupStarts.map(Int.init) + [requests]
    let (ids, kept) = chains(of: order, starts: starts)
    var newStarts = ColumnBuffer<UInt64>()
    var count = 0
    for prompt in order {
      newStarts.append(UInt64(count))
      count += starts[prompt + 1] - starts[prompt]
    }
    let firsts = newStarts.freeze()
    return Trace(
      name: name, format: format, ids: Column([]), identities: identities.subset(kept), sizes: nil,
      times: nil, operations: nil, ttls: nil, costs: nil, classes: nil, classNames: [],
      keyLengths: keyLengths?.subset(kept), groupStarts: firsts, keyTexts: keyTexts?.subset(kept),
      prompts: prompts.reordered(order, starts: starts), formatReasons: formatReasons, loss: loss,
      promptRequests: PromptRequests(
        chains: ids, promptTimes: Column(order.lazy.map { begins[$0] }), starts: firsts,
        count: count))
  }

  /// The ids of prompts in an order, numbered anew in order of first appearance; and the old number of each new one.
  private func chains(
    of order: [Int], starts: [Int]
  ) -> (chains: BlockPaths, kept: Column<UInt32>) {
    guard let chains else { preconditionFailure("prompts are groups") }
    var places = [UInt32](repeating: .max, count: distinct)
    var kept = ColumnBuffer<UInt32>()
    var all = BlockPathBuffer()
    for prompt in order {
      let count = starts[prompt + 1] - starts[prompt]
      all.append(chains, prompt, count: count) { old in
        if places[Int(old)] == .max {
          places[Int(old)] = UInt32(kept.count)
          kept.append(old)
        }
        return places[Int(old)]
      }
    }
    return (all.freeze(), kept.freeze())
  }
}

extension PromptColumns {
  /// The prompts in another order, with the sessions numbered anew in order of first appearance.
  fileprivate func reordered(_ order: [Int], starts: [Int]) -> PromptColumns {
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
      blockTokens,
      tokens.isEmpty ? [] : order.flatMap { tokens[starts[$0]..<starts[$0 + 1]] },
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
    _ files: [PromptColumns?], ids: @autoclosure () -> Column<UInt32>, distinct: Int,
    _ name: String
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
      for (id, count) in zip(ids(), tokens) {
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
