import Foundation

extension UnsafeRawBufferPointer {
  /// Writes all the bytes to an open file.
  ///
  /// - Parameters:
  ///   - file: its name in an error.
  ///   - place: the bytes of the file before these; moves on with each that is written.
  /// - Throws: `io`.
  package func write(
    to descriptor: Int32, file: String, place: inout Int
  ) throws(TraceError) {
    var rest = self
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        throw .io(file: file, action: "write", byte: place, code: code)
      }
      place += count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
