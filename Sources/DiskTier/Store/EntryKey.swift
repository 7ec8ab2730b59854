import Parameters

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A key as the manifest looks it up.
struct EntryKey {
  let hash: Int64
  let bytes: UnsafeRawBufferPointer

  /// Runs `body` with a key's bytes and hash.
  @inline(__always)
  static func with<Result>(
    _ key: String, _ body: (EntryKey) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    var key = key
    var outcome: Swift.Result<Result, StoreError>?
    key.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      let hash = Int64(bitPattern: XXHash64.checksum(of: bytes))
      do throws(StoreError) {
        outcome = .success(try body(EntryKey(hash: hash, bytes: bytes)))
      } catch {
        outcome = .failure(error)
      }
    }
    return try outcome!.get()
  }

  static func hash(_ key: String) -> Int64 {
    var key = key
    return key.withUTF8 { Int64(bitPattern: XXHash64.checksum(of: UnsafeRawBufferPointer($0))) }
  }

  /// Returns the checksum that ties a value's bytes, and those that were put beside it, to this key.
  func checksum(of value: UnsafeRawBufferPointer, _ extended: [UInt8]?) -> UInt64 {
    let seed = UInt64(bitPattern: hash)
    guard let extended else { return RapidHash.checksum(of: value, seed: seed) }
    return RapidHash.checksum(
      of: value, seed: extended.withUnsafeBytes { RapidHash.checksum(of: $0, seed: seed) })
  }

  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    bytes.count == other.count
      && (bytes.count == 0 || memcmp(bytes.baseAddress!, other.baseAddress!, bytes.count) == 0)
  }
}
