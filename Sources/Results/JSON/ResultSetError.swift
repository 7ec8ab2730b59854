/// The reason why a results document cannot be read.
package enum ResultSetError: Error, Equatable {
  /// The file is not JSON.
  case malformed(file: String, schema: String, JSONError)
  /// The file is not JSON: a merge left both sides of a conflict in it.
  case conflict(file: String)
  /// The baseline of a gate is not JSON, in these words.
  case brokenBaseline(file: String, problem: String)
  /// The document has another schema, or none.
  case schema(file: String, expected: String, found: String?)
  /// A value is of another type.
  case value(file: String, path: String, expected: String)
  /// A value is missing or `null`.
  case absent(file: String, path: String)
  /// The results are not complete, and nothing can be held against what there is.
  case incomplete(file: String)
  /// There is no document to hold results against.
  case noBaseline(file: String)
  /// The document has no results, and nothing can be held against it.
  case empty(file: String)
  /// The document has no instructions, and a gate that requires them cannot hold any against it.
  case uncounted(file: String)
  /// Two results of one deterministic cell differ, in one document or in two.
  case contradiction(file: String, other: String, cell: String, counts: [String])
  /// A miss takes another time in two results, in one document or in two.
  case delays(file: String, other: String, [String])
  /// A value does not follow from the others beside it, in these words.
  case inconsistent(String)
}
