import Laboratory

extension SweepCommand {
  /// `evict sweep --merge`: documents of one sweep's shares as one document.
  func mergeDocuments(_ files: [String], to output: OutputOptions) throws {
    try output.check()
    var parts: [SweepMerge.Part] = []
    for file in files {
      let results = try ResultSet(reading: Document.bytes(of: file), file: file)
      parts.append(SweepMerge.Part(file: file, results: results))
    }
    let merge = try SweepMerge(parts)
    parts.map(\.results).warnOfDifferentEnvironments()
    for gap in merge.gaps { StandardError.say("\(gap); the document is not complete") }
    try output.write(merge.results)
  }
}
