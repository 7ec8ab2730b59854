import CZstd
import Testing
import Traces

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

  @Test func theLowHalfIsThatOfAnotherImplementation() {
    var numbers = SeededNumbers(7)
    for stripes in [1, 2, 3, 8, 64, 1000] {
      let bytes = (0..<stripes * 32).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      let checksum = bytes.withUnsafeBytes(XXHash64.checksum)
      #expect(UInt32(truncatingIfNeeded: checksum) == checksumOfZstd(bytes))
    }
  }

  @Test func piecesDoNotMatter() {
    let bytes = (0..<320).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var hash = XXHash64()
    bytes.withUnsafeBytes { bytes in
      hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<96]))
      hash.update(UnsafeRawBufferPointer(start: nil, count: 0))
      hash.update(UnsafeRawBufferPointer(rebasing: bytes[96...]))
    }
    #expect(hash.finish() == bytes.withUnsafeBytes(XXHash64.checksum))
  }
}
