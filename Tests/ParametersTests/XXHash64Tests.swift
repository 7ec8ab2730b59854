import CZstd
import Parameters
import Testing

@Suite struct XXHash64Tests {
  /// zstd ends a frame with the low half of the content's XXH64.
  private func checksumOfZstd(_ bytes: [UInt8]) -> UInt32 {
    let context = ZSTD_createCCtx()
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    var packed = [UInt8](repeating: 0, count: bytes.count + 4096)
    let count = ZSTD_compress2(context, &packed, packed.count, bytes, bytes.count)
    return packed[count - 4..<count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ $0 >> 3) }
  }

  @Test(arguments: Array(0...70) + [255, 256, 1000, 4096, 32_000])
  func theLowHalfIsThatOfAnotherImplementation(count: Int) {
    let bytes = bytes(count)
    let checksum = bytes.withUnsafeBytes(XXHash64.checksum)
    #expect(UInt32(truncatingIfNeeded: checksum) == checksumOfZstd(bytes))
  }

  /// The reference implementation's own check of its empty input with and without its seed.
  @Test func theSeedIsThatOfTheReference() {
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(XXHash64.checksum(of: empty) == 0xEF46_DB37_51D8_E999)
    #expect(XXHash64.checksum(of: empty, seed: 2_654_435_761) == 0xAC75_FDA2_929B_17EF)
  }

  @Test(arguments: [5, 40]) func aSeedChangesEverything(count: Int) {
    let checksums = (0..<64).map { bit in
      bytes(count).withUnsafeBytes { XXHash64.checksum(of: $0, seed: 1 << UInt64(bit)) }
    }
    #expect(Set(checksums).count == 64)
  }

  @Test func piecesDoNotMatter() {
    let bytes = bytes(330)
    let checksum = bytes.withUnsafeBytes { bytes in
      var hash = XXHash64()
      hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<96]))
      hash.update(UnsafeRawBufferPointer(start: nil, count: 0))
      hash.update(UnsafeRawBufferPointer(rebasing: bytes[96..<320]))
      return hash.finish(tail: UnsafeRawBufferPointer(rebasing: bytes[320...]))
    }
    #expect(checksum == bytes.withUnsafeBytes(XXHash64.checksum))
  }
}
