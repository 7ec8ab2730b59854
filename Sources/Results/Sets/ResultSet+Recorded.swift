import Parameters

extension ResultSet {
  /// The planned runs, each with the spreads of its variations, which are left out.
  package var recorded: ResultSet {
    let hasVariations =
      measurements.contains { $0.variation != nil } || curves.contains { $0.variation != nil }
    if !hasVariations { return self }
    var results = self
    var known: Set<CellKey> = []
    let varied = measurements.filter { $0.variation != nil && known.insert(CellKey($0)).inserted }
      .grouped { CellKey($0).recorded }
    let groups = Dictionary(uniqueKeysWithValues: varied.map { (CellKey($0[0]).recorded, $0) })
    results.measurements = measurements.compactMap { run in
      if run.variation != nil { return nil }
      var run = run
      let runs = groups[CellKey(run)] ?? []
      run.spreads = Variation.Kind.allCases.compactMap { kind in
        // Of several models or extents the first.
        let first = runs.compactMap(\.variation).first { $0.kind == kind }
        return first.flatMap { first in
          VariationSpread(
            kind,
            runs.filter { $0.variation?.isAlike(first) == true }.compactMap(\.comparedHitRatio))
        }
      }
      return run
    }
    var knownCurves: Set<CellKey> = []
    let ofVariations = curves.filter {
      $0.variation != nil && knownCurves.insert(CellKey($0)).inserted
    }
    let variedCurves = Dictionary(grouping: ofVariations) { CellKey($0).recorded }
    results.curves = curves.compactMap { curve in
      if curve.variation != nil { return nil }
      return curve.spread(over: variedCurves[CellKey(curve)] ?? [])
    }
    return results
  }
}

extension MissRatioCurve {
  /// The curve, each of its points with how far those variations of it differ there.
  fileprivate func spread(over variations: [MissRatioCurve]) -> MissRatioCurve {
    if variations.isEmpty { return self }
    // Of several models or extents the first.
    let kinds = variations.grouped { $0.variation?.kind }.compactMap { curves in
      curves[0].variation.map { first in
        curves.filter { $0.variation?.isAlike(first) == true }
      }
    }
    var curve = self
    for place in points.indices {
      curve.points[place].spreads = kinds.compactMap { curves in
        guard let kind = curves[0].variation?.kind else { return nil }
        return VariationSpread(
          kind, curves.compactMap { $0.point(at: points[place].capacity)?.missRatio })
      }
    }
    return curve
  }
}
