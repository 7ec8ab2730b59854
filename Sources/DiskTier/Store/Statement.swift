import CSQLite

/// A prepared statement, prepared once and kept with its ``Connection``.
///
/// Anyone who steps it resets it before giving up the store's lock: a statement that is left in the middle keeps
/// the write-ahead log from ever being copied back.
final class Statement {
  private let pointer: OpaquePointer
  private unowned let connection: Connection
  /// The action of the statement, for errors: `read an entry`.
  private let action: String
  /// The first failure of a bind since the last reset.
  private var failure = SQLITE_OK

  init(_ connection: Connection, _ action: String, _ text: String) throws(StoreError) {
    var pointer: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard code == SQLITE_OK, let pointer else { throw connection.error(code, action) }
    self.pointer = pointer
    self.connection = connection
    self.action = action
  }

  func finalize() { sqlite3_finalize(pointer) }

  // MARK: Parameters, counted from 1; bytes must live until the statement is reset

  func bind(_ index: Int32, _ value: Int64) { note(sqlite3_bind_int64(pointer, index, value)) }

  func bind(_ index: Int32, _ value: Int64?) {
    note(value.map { sqlite3_bind_int64(pointer, index, $0) } ?? sqlite3_bind_null(pointer, index))
  }

  func bind(_ index: Int32, text: UnsafeRawBufferPointer) {
    let bytes = text.count == 0 ? nil : text.bindMemory(to: CChar.self).baseAddress
    // A nil pointer would be NULL.
    note(
      bytes.map {
        sqlite3_bind_text64(pointer, index, $0, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
      } ?? sqlite3_bind_text(pointer, index, "", 0, nil))
  }

  func bind(_ index: Int32, blob: UnsafeRawBufferPointer?) {
    guard let blob else { return note(sqlite3_bind_null(pointer, index)) }
    note(
      blob.count == 0
        ? sqlite3_bind_zeroblob(pointer, index, 0)
        : sqlite3_bind_blob64(pointer, index, blob.baseAddress, UInt64(blob.count), nil))
  }

  private func note(_ code: Int32) { if failure == SQLITE_OK { failure = code } }

  // MARK: Running

  /// Goes on to the next row; false at the end.
  ///
  /// - Parameter action: The action in errors, if not that of the statement's preparation.
  func step(_ action: String? = nil) throws(StoreError) -> Bool {
    let code = failure == SQLITE_OK ? sqlite3_step(pointer) : failure
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.error(code, action ?? self.action)
    }
  }

  /// Ready for the next time; whatever `bytes` gave out is void.
  func reset() {
    sqlite3_reset(pointer)
    failure = SQLITE_OK
  }

  /// Runs a statement that returns no row.
  func run(_ action: String? = nil) throws(StoreError) {
    defer { reset() }
    while try step(action) {}
  }

  // MARK: Columns, counted from 0

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

  /// The bytes of a text or blob, until the next step or reset.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let bytes = sqlite3_column_blob(pointer, column)
    return UnsafeRawBufferPointer(
      start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(pointer, column)))
  }

  func string(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
