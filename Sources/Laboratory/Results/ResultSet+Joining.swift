extension ResultSet {
  /// Several documents as one, in their order, with the environment of the first; traces and reference
  /// curves once each.
  public init(joining documents: [ResultSet]) {
    let first = documents.first
    var environment = first?.environment ?? .current
    let commands = documents.compactMap(\.environment.command)
    environment.command =
      commands.count == documents.count ? commands.unique.joined(separator: "\n") : nil
    self.init(
      environment: environment,
      traces: documents.flatMap(\.traces).grouped { $0.sha256 ?? $0.name }.map { $0[0] },
      measurements: documents.flatMap(\.measurements), curves: documents.flatMap(\.curves),
      references: documents.flatMap(\.references).grouped { "\($0.policyLabel) \($0.trace)" }
        .map { $0[0] },
      explanations: documents.flatMap(\.explanations),
      plan: documents.count == 1 ? documents[0].plan : nil,
      isComplete: documents.allSatisfy { $0.isComplete })
  }
}

extension Environment {
  /// Whether times measured here and there compare: the same version, machine and compiler.
  public func isLike(_ other: Environment) -> Bool {
    func facts(_ environment: Environment) -> [String?] {
      [
        environment.version, environment.commit, environment.toolchain, environment.os,
        environment.cpu, "\(environment.cores)",
      ]
    }
    return facts(self) == facts(other)
  }
}
