/// The memory of a trace that is being read.
package struct TraceMemory: Sendable {
  /// Bytes of what there is for each request.
  package var requestBytes = 0
  /// Bytes of what there is for each distinct key.
  package var keyBytes = 0
}
