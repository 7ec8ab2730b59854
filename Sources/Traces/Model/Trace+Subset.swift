extension Trace {
  /// A trace of some of the requests, with all their columns; its keys are numbered anew in order
  /// of first appearance, and so are its classes. A group keeps those of its requests that are kept.
  ///
  /// O(requests and distinct keys); the memory of the new trace.
  ///
  /// - Parameter rows: the numbers of the requests from 0, ascending.
  public func subset(_ rows: Column<UInt64>) -> Trace {
    subset(rows, times: times?.subset(rows), groupStarts: groupStarts(rows))
  }

  /// The same of requests in any order, each once, with the times and groups that they have then.
  func subset(
    _ rows: Column<some BinaryInteger>, times: Column<Int64>?, groupStarts: Column<UInt64>?
  ) -> Trace {
    let (ids, keys) = renumbered(self.ids, rows, count: distinct)
    let classes = classes.map { renumbered($0, rows, count: classNames.count) }
    return Trace(
      name: name, format: format, ids: ids,
      identities: identities.subset(keys),
      sizes: sizes?.subset(rows), times: times,
      operations: operations?.subset(rows), ttls: ttls?.subset(rows), costs: costs?.subset(rows),
      classes: classes?.numbers, classNames: classes?.kept.map { classNames[Int($0)] } ?? [],
      keyLengths: keyLengths?.subset(keys), groupStarts: groupStarts,
      keyTexts: keyTexts?.subset(keys), formatReasons: formatReasons, loss: loss)
  }

  /// The rows of a column of numbers below `count`, numbered in order of first appearance; and the
  /// old number of each new one.
  private func renumbered(
    _ column: Column<UInt32>, _ rows: Column<some BinaryInteger>, count: Int
  ) -> (numbers: Column<UInt32>, kept: Column<UInt32>) {
    var places = [UInt32](repeating: .max, count: count)
    var kept = ColumnBuffer<UInt32>()
    var numbers = ColumnBuffer<UInt32>()
    for row in rows {
      let old = Int(column[Int(row)])
      if places[old] == .max {
        places[old] = UInt32(kept.count)
        kept.append(UInt32(old))
      }
      numbers.append(places[old])
    }
    return (numbers.freeze(), kept.freeze())
  }

  private func groupStarts(_ rows: Column<UInt64>) -> Column<UInt64>? {
    guard let groupStarts else { return nil }
    var starts = ColumnBuffer<UInt64>()
    var place = 0
    for start in groupStarts {
      while place < rows.count, rows[place] < start { place += 1 }
      if place < rows.count, starts.last != UInt64(place) { starts.append(UInt64(place)) }
    }
    return starts.count > 0 ? starts.freeze() : nil
  }
}

extension Column {
  /// The values at some places.
  func subset(_ places: Column<some BinaryInteger>) -> Column {
    Column(places.lazy.map { self[Int($0)] })
  }
}

extension KeyIdentities {
  /// The identities of some of the keys.
  func subset(_ ids: Column<UInt32>) -> KeyIdentities {
    switch self {
    case .integers(let values): .integers(values.subset(ids))
    case .texts(let hashes): .texts(hashes.subset(ids))
    }
  }
}
