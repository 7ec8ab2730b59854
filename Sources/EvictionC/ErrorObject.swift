import CEvictionLab

/// An error that belongs to the caller: an `evl_error`.
final class ErrorObject: Sendable {
  let status: Int32
  let message: CText

  init(_ failure: CallFailure) {
    status = failure.status
    message = CText(failure.message)
  }
}

/// The place where a caller wants an error; nil where it wants none.
public typealias ErrorPlace = UnsafeMutablePointer<OpaquePointer?>?

/// Calls `body`; returns its status, with an error at the caller's place.
func attempt(_ place: ErrorPlace, _ body: () throws(CallFailure) -> Void) -> Int32 {
  place?.pointee = nil
  do throws(CallFailure) {
    try body()
    return Int32(EVL_OK)
  } catch {
    place?.pointee = Handle.make(ErrorObject(error))
    return error.status
  }
}

private let noText = CText("")

/// Returns the status of an error.
@_cdecl("evl_error_status")
public func errorStatus(_ error: OpaquePointer?) -> Int32 {
  error.map { Handle.object($0, ErrorObject.self).status } ?? Int32(EVL_OK)
}

/// Returns the message of an error.
@_cdecl("evl_error_message")
public func errorMessage(_ error: OpaquePointer?) -> UnsafePointer<CChar> {
  error.map { Handle.object($0, ErrorObject.self).message.pointer } ?? noText.pointer
}

/// Frees an error.
@_cdecl("evl_error_free")
public func freeError(_ error: OpaquePointer?) { Handle.free(error, ErrorObject.self) }
