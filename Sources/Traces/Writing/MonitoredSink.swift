/// Passes bytes on piece by piece, and asks between the pieces whether the work goes on.
final class MonitoredSink: ByteSink {
  /// Bytes that are passed on at a time, at most.
  private static let piece = 1 << 20

  private let sink: any ByteSink
  private let file: String
  private let progress: TraceProgress.Callback?
  private var taken = 0

  /// The requests that the bytes so far hold, where the writer knows them.
  var requests = 0
  /// The requests that a byte stands for, where it does not.
  var requestsPerByte = 0.0

  init(_ sink: any ByteSink, file: String, progress: TraceProgress.Callback?) {
    self.sink = sink
    self.file = file
    self.progress = progress
  }

  var storedBytes: Int { sink.storedBytes }

  /// Throws `cancelled` when the work is to stop, as every call does.
  func write(_ bytes: UnsafeRawBufferPointer) throws(TraceError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Self.piece)
      try sink.write(UnsafeRawBufferPointer(rebasing: piece))
      taken += piece.count
      rest = rest.dropFirst(piece.count)
      try ask()
    }
  }

  func finish() throws(TraceError) {
    try ask()
    try sink.finish()
  }

  /// Tells how far the work is.
  func ask() throws(TraceError) {
    guard let progress else { return }
    let count = requests + Int(Double(taken) * requestsPerByte)
    if !progress(TraceProgress(bytes: storedBytes, totalBytes: nil, requests: count)) {
      throw .cancelled(file: file)
    }
  }
}
