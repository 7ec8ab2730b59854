/// The size that the requests of each key told last, for those that tell none.
struct ToldSizes {
  /// By id; ``Trace/unknownSize`` where no request has told one.
  private var told: [UInt64] = []

  /// Gives each of the next requests that tells no size the one that was told last.
  ///
  /// - Returns: The bytes of the requests that were given one, saturating.
  /// - Complexity: O(requests).
  mutating func resolve(
    _ sizes: UnsafeMutableBufferPointer<UInt64>, of ids: UnsafePointer<UInt32>
  ) -> UInt64 {
    var bytes: UInt64 = 0
    for index in sizes.indices {
      let id = Int(ids[index])
      if id >= told.count {
        let room = max(id + 1, told.count + told.count / 2, 1024)
        told += repeatElement(Trace.unknownSize, count: room - told.count)
      }
      if sizes[index] != Trace.unknownSize {
        told[id] = sizes[index]
      } else if told[id] != Trace.unknownSize {
        sizes[index] = told[id]
        bytes = bytes.addingSaturating(told[id])
      }
    }
    return bytes
  }
}
