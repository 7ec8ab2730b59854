/// The reason why a results document cannot be read.
package enum ResultSetError: Error, Equatable {
  /// The file is not JSON.
  case malformed(file: String, schema: String, JSONError)
  /// The document has another schema, or none.
  case schema(file: String, expected: String, found: String?)
  /// A value is missing or of another type.
  case value(file: String, path: String, expected: String)
  /// The results are not complete, and nothing can be held against what there is.
  case incomplete(file: String)
  /// There is no document to hold results against.
  case noBaseline(file: String)
  /// The document has no results, and nothing can be held against it.
  case empty(file: String)
  /// Two results of one deterministic cell differ, in one document or in two.
  case contradiction(file: String, other: String, cell: String, counts: [String])
  /// A value does not follow from the others beside it, in these words.
  case inconsistent(String)
}
