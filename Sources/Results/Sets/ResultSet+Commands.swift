extension ResultSet {
  /// The command lines that measure this again: the one that did, or else one for each kind of result.
  package var commands: [String] {
    if let command = environment.command { return [command] }
    let runs = measurements.grouped(by: \.kind).map { runs in
      let options: [(name: String, values: [String])] = [
        ("policy", runs[0].kind == .bounds ? [] : runs.map(\.policyLabel)),
        ("capacity", runs.map(\.capacityLabel)), ("lock", runs.compactMap(\.replay?.lock)),
        ("threads", runs.compactMap { run in run.replay.map { "\($0.threads)" } }),
      ]
      return command(
        runs[0].kind.rawValue, traces: runs.map(\.trace),
        options + diskOptions(runs.compactMap(\.disk?.setup))) + seeds(runs.map(\.seed))
    }
    let curves = self.curves.grouped(by: \.unit).map { curves in
      command("curve", traces: curves.map(\.trace), [("policy", curves.map(\.policyLabel))])
        + (curves[0].unit == .bytes ? " --sized" : "") + seeds(curves.map(\.seed))
    }
    return runs + curves
  }

  private func diskOptions(_ runs: [DiskSetup]) -> [(name: String, values: [String])] {
    guard let rounds = runs.map(\.round).max() else { return [] }
    return [
      ("threshold", runs.map { "\($0.inlineThreshold)" }),
      ("page-size", runs.map { "\($0.pageSize)" }), ("durability", runs.map(\.durability)),
      ("rounds", ["\(rounds)"]),
    ]
  }

  private func command(
    _ name: String, traces: [String], _ options: [(name: String, values: [String])]
  ) -> String {
    let given = options.filter { !$0.values.isEmpty }.map {
      " --\($0.name) \($0.values.unique.joined(separator: ","))"
    }
    return "evict \(name) \(traces.unique.map(\.shellQuoted).joined(separator: " "))"
      + given.joined()
  }

  private func seeds(_ seeds: [Int]) -> String {
    seeds.unique == [42] ? "" : seeds.unique.map { " --seed \($0)" }.joined()
  }
}

extension String {
  /// A word of a command line: quoted where a shell would read more into it.
  package var shellQuoted: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || "0123456789%+,-./:=@_".unicodeScalars.contains($0))
      }
    if isPlain { return self }
    // By scalars: a quote with an accent is one character, and still ends a word.
    var quoted = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == "'" { quoted.append(contentsOf: "'\\'".unicodeScalars) }
      quoted.append(scalar)
    }
    return "'\(String(quoted))'"
  }
}
