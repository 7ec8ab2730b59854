extension HybridStore {
  /// Looks at every row, every value's bytes and every file, and, if `repair`, removes what is wrong.
  ///
  /// A database that fails SQLite's own check is looked at no further; to repair it is to set it aside.
  /// In a shared store, files younger than ``StoreOptions/orphanGrace`` are no orphans.
  ///
  /// - Complexity: It reads everything. The lock is held while SQLite checks the database.
  public func check(repair: Bool) throws(StoreError) -> CheckReport {
    waitForBackgroundWork()
    var report = CheckReport()
    report.database = try locked { () throws(StoreError) in try core.checkDatabase() }
    if let problem = report.database.first {
      if repair {
        try locked { () throws(StoreError) in try core.setAside(problem) }
        waitForBackgroundWork()
      }
      return report
    }
    try checkRows(&report, repair: repair)
    try checkFiles(&report, repair: repair)
    report.totalsAgree = try locked { () throws(StoreError) in
      try core.checkTotals(repair: repair)
    }
    return report
  }

  private func checkRows(_ report: inout CheckReport, repair: Bool) throws(StoreError) {
    var failure: StoreError?
    try forEachRow { row in
      do throws(StoreError) {
        try check(row, &report, repair: repair)
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
  }

  private func check(
    _ row: StoreCore.RowReference, _ report: inout CheckReport, repair isRepairing: Bool
  ) throws(StoreError) {
    let loaded = try EntryKey.with(row.key) { key throws(StoreError) in
      key.hash == row.version.hash
        ? try load(key)
        : .damaged(Damage(kind: .mismatch, version: row.version, size: row.size))
    }
    report.entries += 1
    guard case .damaged(let damage) = loaded else { return }
    switch damage.kind {
    case .mismatch: report.mismatches.append(row.key)
    case .missingFile: report.missingFiles.append(row.key)
    }
    if isRepairing { repair(damage) }
  }

  private func checkFiles(_ report: inout CheckReport, repair: Bool) throws(StoreError) {
    var orphans: [String] = []
    try forEachOrphan { path in
      orphans.append(path)
      return true
    }
    report.orphans = orphans.map { String($0.dropFirst(path.count + 1)) }
    guard repair else { return }
    let removed = orphans.count { core.area.remove($0) }
    lock.withLock { core.statistics.orphans += removed }
  }
}

extension StoreCore {
  /// What SQLite's own check says; empty if the database is whole.
  func checkDatabase() throws(StoreError) -> [String] {
    try perform { database throws(StoreError) in
      let texts = try database.connection.texts("PRAGMA integrity_check", "check the database")
      return texts == ["ok"] ? [] : texts
    }
  }

  /// Whether the totals are those of the rows; if not and `repair`, they are corrected.
  func checkTotals(repair: Bool) throws(StoreError) -> Bool {
    try perform { database throws(StoreError) in
      try change(database, "check the totals") { difference throws(StoreError) in
        let recorded = try totals(in: database)
        let counted = try recount(database)
        if repair {
          difference = Totals(
            count: counted.count &- recorded.count, size: counted.size &- recorded.size)
        }
        return counted == recorded
      }
    }
  }
}
