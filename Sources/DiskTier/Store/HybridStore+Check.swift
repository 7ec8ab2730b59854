extension HybridStore {
  /// Looks at every row, every value's bytes and every file, and, if `repair`, removes what is wrong.
  ///
  /// A database that fails SQLite's own check is looked at no further; to repair it is to set it aside. One that
  /// the disk fails to read is neither: that is an error. Without `repair` nothing is changed.
  /// In a shared store, files younger than ``StoreOptions/orphanGrace`` are no orphans.
  ///
  /// - Complexity: It reads everything. The lock is held while SQLite checks the database.
  public func check(repair: Bool) throws(StoreError) -> CheckReport {
    waitForBackgroundWork()
    var report = CheckReport()
    report.lost = try locked { () throws(StoreError) in try core.checkPlace(repair: repair) }
    do throws(StoreError) {
      try check(&report, repair: repair)
    } catch {
      guard case .corrupt(_, let problem) = error, !repair else { throw error }
      report.database = [problem]
    }
    return report
  }

  private func check(_ report: inout CheckReport, repair: Bool) throws(StoreError) {
    report.database = try locked(settingAside: repair) { () throws(StoreError) in
      try core.checkDatabase()
    }
    if let problem = report.database.first {
      if repair {
        try locked { () throws(StoreError) in try core.setAside(problem) }
        waitForBackgroundWork()
      }
      return
    }
    try checkRows(&report, repair: repair)
    try checkFiles(&report, repair: repair)
    report.totalsAgree = try locked(settingAside: repair) { () throws(StoreError) in
      try core.checkTotals(repair: repair)
    }
  }

  private func checkRows(_ report: inout CheckReport, repair: Bool) throws(StoreError) {
    var failure: StoreError?
    try forEachRow(settingAside: repair) { row in
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
        ? try load(key, settingAside: isRepairing)
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
    try forEachOrphan(settingAside: repair) { path in
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
  /// Returns the names of what is no longer at its place; if `repair`, it is made again.
  func checkPlace(repair: Bool) throws(StoreError) -> [String] {
    let lost = lostNames() + area.missingParts()
    if !lost.isEmpty && repair && !leaveIfLost() { try area.makeParts() }
    return lost
  }

  /// Returns the findings of SQLite's own check; empty if the database is whole.
  func checkDatabase() throws(StoreError) -> [String] {
    try perform { database throws(StoreError) in
      let texts = try database.connection.texts("PRAGMA integrity_check", "check the database")
      if texts == ["ok"] { return [] }
      // The check names pages that it could not read, and not why.
      if let code = database.connection.readError() {
        throw .io(path: manifest, action: "check the database", code: code)
      }
      return texts
    }
  }

  /// Returns true if the totals are those of the rows; if not and `repair`, they are corrected.
  func checkTotals(repair: Bool) throws(StoreError) -> Bool {
    try perform { database throws(StoreError) in
      let action = "check the totals"
      guard repair else {
        return try asWriter(action) { () throws(StoreError) in
          try totals(in: database) == recount(database)
        }
      }
      return try change(database, action) { difference throws(StoreError) in
        let recorded = try totals(in: database)
        let counted = try recount(database)
        difference = Totals(
          count: counted.count &- recorded.count, size: counted.size &- recorded.size)
        return counted == recorded
      }
    }
  }
}
