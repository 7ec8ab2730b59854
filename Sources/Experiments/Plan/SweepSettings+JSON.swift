import Results

extension ExperimentPlan.Settings {
  /// The settings as a results document says them.
  public var members: [JSON.Member] {
    [
      JSON.Member("sized", .boolean(isSized)), JSON.Member("warmup", .integer(warmup)),
      JSON.Member("countSets", .boolean(countsSets)),
      JSON.Member("traceInternals", .integer(internalsPoints)),
      JSON.Member("windows", windows?.json ?? .null),
    ]
  }
}
