extension PlanSummary {
  /// The most positions of a sweep that is read: no machine runs more.
  private static let most = 1_000_000_000_000

  var json: JSON {
    .object(
      asked + [
        JSON.Member(
          "shares",
          .array(
            shares.map { ["share": .string("\($0.share)"), "cells": .integer($0.cells)] }))
      ])
  }

  /// What was asked for; `capacities` of a trace are what those asked for are on it.
  private var asked: [JSON.Member] {
    [
      JSON.Member(
        "traces",
        .array(
          traces.map {
            [
              "name": .string($0.name),
              "capacities": $0.capacities.map { .array($0.map(JSON.integer)) } ?? .null,
            ]
          })),
      JSON.Member("capacities", .array(capacities.map(JSON.string))),
      JSON.Member("policies", .array(policies.map(JSON.string))),
      JSON.Member("seeds", .array(seeds.map(JSON.integer))),
      JSON.Member("options", .object(options)),
    ]
  }

  init(_ object: JSONObject) throws(ResultSetError) {
    let capacities = try object.strings("capacities")
    self.capacities = capacities
    traces = try object.objects("traces").map { trace throws(ResultSetError) in
      let here = trace.has("capacities") ? try trace.integers("capacities") : nil
      if let here, here.count != capacities.count {
        throw trace.wrong("capacities", "a list of \(capacities.count) numbers")
      }
      return Trace(name: try trace.string("name"), capacities: here)
    }
    policies = try object.strings("policies")
    seeds = try object.integers("seeds")
    options = try object.members("options")
    shares = try object.objects("shares").map { share throws(ResultSetError) in
      guard let parsed = SweepShare(parsing: try share.string("share")) else {
        throw share.wrong("share", "a share such as 2/5")
      }
      return Share(share: parsed, cells: try share.count("cells"))
    }
    let counts = [traces.count, capacities.count, policies.count, seeds.count]
    let size = counts.reduce(1.0) { $0 * Double($1) }
    if size < 1 || size > Double(PlanSummary.most) {
      throw object.wrong("traces", "a list of traces for a sweep of 1 to \(PlanSummary.most) cells")
    }
  }

  /// What differs first between what was asked for here and there, beside the options' values; nil
  /// for parts of one sweep.
  package func difference(from other: PlanSummary) -> PlanDifference? {
    if traces.map(\.name) != other.traces.map(\.name) { return PlanDifference("traces") }
    if capacities != other.capacities { return PlanDifference("capacities") }
    if policies != other.policies { return PlanDifference("policies") }
    if seeds != other.seeds { return PlanDifference("seeds") }
    return optionsDifference(from: other)
  }

  /// The option that differs first; nil when none does.
  package func optionsDifference(from other: PlanSummary) -> PlanDifference? {
    let (here, there) = (JSON.object(options), JSON.object(other.options))
    for name in (options + other.options).map(\.key) where here[name] != there[name] {
      let values = [here, there].map { $0[name]?.text ?? "not given" }
      return PlanDifference(name, " (\(values[0]) and \(values[1]))")
    }
    return nil
  }
}

/// What two sweeps differ in.
package struct PlanDifference {
  /// In words: `warmup (0 and 100)`.
  package let text: String

  init(_ name: String, _ values: String = "") { text = name + values }
}
