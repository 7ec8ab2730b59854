import Experiments

extension SweepCommand {
  /// `evict sweep --merge`: documents of one sweep's shares as one document, which is
  /// written also where cells are missing; then the command fails.
  func mergeDocuments(_ files: [String], to output: OutputOptions) throws {
    try output.check(inputs: files)
    var parts: [SweepMerge.Part] = []
    for file in files {
      let results = try Document.results(of: file)
      parts.append(SweepMerge.Part(file: file, results: results))
    }
    let merge = try SweepMerge(parts)
    parts.map(\.results).warnOfDifferentEnvironments()
    try output.write(merge.results)
    if !merge.results.isComplete {
      throw Failed(
        description: "the merged sweep is not complete: \(merge.gaps.joined(separator: ", ")); "
          + "run what is missing and merge again")
    }
  }
}
