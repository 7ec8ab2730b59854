/// The bytes of a trace that is read block by block.
package struct StreamedInput {
  /// The unpacked bytes, before the first request.
  let input: TraceInput
  /// The trace's name.
  let name: String
  /// The file's name in errors.
  let file: String
  /// The format's name.
  let format: String
  /// The columns that are wanted.
  let columns: TraceColumns
  /// The most requests; nil for all.
  let limit: Int?
  let monitor: ProgressMonitor
  /// Opens the unpacked bytes another time; nil for standard input and pipes.
  let again: (() throws(TraceError) -> TraceInput)?
  /// Told at the end of what the trace lacks, where it lacks something.
  let lost: (@Sendable (RecordingLoss) -> Void)?
}

extension TraceFormat {
  /// Reads a whole trace through a builder that hands over blocks.
  package func read(_ stream: StreamedInput, into blocks: TraceBlocks) throws(TraceError) {
    var builder = TraceBuilder(
      name: stream.name, file: stream.file, format: stream.format, keys: keys,
      columns: stream.columns, limit: stream.limit, blocks: blocks,
      advance: stream.monitor.advance)
    do throws(TraceError) {
      try read(from: stream.input, into: &builder)
    } catch {
      if !blocks.keepsWhatWasRead(before: error, requests: builder.requests) { throw error }
    }
    let loss = builder.loss
    try builder.finishBlocks()
    if !loss.isNone { stream.lost?(loss) }
  }
}
