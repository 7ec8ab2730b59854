import CEvictionLab

/// The rows of a simulation: an `evl_results`.
final class ResultsObject: @unchecked Sendable {
  let rows: UnsafeMutableBufferPointer<evl_row>
  let policies: [CText]
  let notes: CText

  init(rows: [evl_row], policies: [String], notes: [String]) {
    self.rows = .allocate(capacity: rows.count)
    _ = self.rows.initialize(from: rows)
    self.policies = policies.map(CText.init)
    self.notes = CText(notes.joined(separator: "\n"))
  }

  deinit { rows.deallocate() }
}

/// Returns the number of rows.
@_cdecl("evl_results_count")
public func resultsCount(_ results: OpaquePointer?) -> UInt64 {
  results.map { UInt64(Handle.object($0, ResultsObject.self).rows.count) } ?? 0
}

/// Returns the rows.
@_cdecl("evl_results_rows")
public func resultsRows(_ results: OpaquePointer?) -> UnsafePointer<evl_row>? {
  results.flatMap { UnsafePointer(Handle.object($0, ResultsObject.self).rows.baseAddress) }
}

/// Returns the number of policies.
@_cdecl("evl_results_policy_count")
public func resultsPolicyCount(_ results: OpaquePointer?) -> UInt64 {
  results.map { UInt64(Handle.object($0, ResultsObject.self).policies.count) } ?? 0
}

/// Returns a policy with its parameters.
@_cdecl("evl_results_policy")
public func resultsPolicy(_ results: OpaquePointer?, _ index: UInt64) -> UnsafePointer<CChar>? {
  guard let results else { return nil }
  let policies = Handle.object(results, ResultsObject.self).policies
  return index < UInt64(policies.count) ? policies[Int(index)].pointer : nil
}

/// Returns the notes on what was left out.
@_cdecl("evl_results_notes")
public func resultsNotes(_ results: OpaquePointer?) -> UnsafePointer<CChar>? {
  results.map { Handle.object($0, ResultsObject.self).notes.pointer }
}

/// Frees results.
@_cdecl("evl_results_free")
public func freeResults(_ results: OpaquePointer?) { Handle.free(results, ResultsObject.self) }
