/// Reading a value and looking whether it is what was put.
extension HybridStore {
  enum Loaded {
    case absent
    case intact(StoredValue)
    case damaged(Damage)
  }

  /// A row that must go.
  struct Damage {
    enum Kind {
      /// The value's length or checksum is wrong.
      case mismatch
      /// The value's file is gone.
      case missingFile
    }

    var kind: Kind
    var version: RowVersion
    var size: Int
  }

  /// The value of a key, checked.
  func load(
    _ key: EntryKey, touching: Bool = false, settingAside: Bool = true
  ) throws(StoreError) -> Loaded {
    var wasMissing: RowVersion?
    while true {
      let found = try locked(settingAside: settingAside) { () throws(StoreError) in
        let found = try core.get(key)
        if touching && found != nil { core.touch(key.hash) }
        return found
      }
      if touching { flushLater() }
      guard var found else { return .absent }
      let size = found.value.metadata.size
      if let number = found.version.file {
        guard let file = found.file else {
          // Another process may have replaced the value between the look at the row and that at the file.
          if !core.isShared || wasMissing == found.version {
            return .damaged(Damage(kind: .missingFile, version: found.version, size: size))
          }
          wasMissing = found.version
          continue
        }
        found.value.bytes = try core.area.read(file, of: key.hash, number, size: size) ?? []
      }
      let isIntact = found.value.bytes.withUnsafeBytes { bytes in
        bytes.count == size
          && key.checksum(of: bytes, found.value.extended)
            == UInt64(bitPattern: found.version.checksum)
      }
      if isIntact {
        (found.value.extended, found.value.tags) = ExtendedColumn.parts(found.value.extended)
        return .intact(found.value)
      }
      return .damaged(Damage(kind: .mismatch, version: found.version, size: size))
    }
  }

  /// Counts damage, and removes the row with its file, unless it has been replaced meanwhile.
  ///
  /// A failure is left alone: anyone who reads the row again tries again.
  func repair(_ damage: Damage) {
    let isRemoved = lock.withLock {
      guard (try? core.remove(damage.version, size: damage.size)) == true else { return false }
      switch damage.kind {
      case .mismatch: core.statistics.mismatches += 1
      case .missingFile: core.statistics.missingFiles += 1
      }
      return true
    }
    if isRemoved, let number = damage.version.file {
      core.area.remove(damage.version.hash, number)
    }
  }
}
