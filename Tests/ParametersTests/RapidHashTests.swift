import Parameters
import Testing

@Suite struct RapidHashTests {
  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
  }

  private func checksum(_ bytes: some Sequence<UInt8>, seed: UInt64) -> UInt64 {
    Array(bytes).withUnsafeBytes { RapidHash.checksum(of: $0, seed: seed) }
  }

  @Test func itIsThePublishedOne() {
    #expect(checksum("hello world".utf8, seed: 0) == 3_397_907_815_814_400_320)
  }

  /// From another implementation, of arithmetic without bounds; the seed is the number of bytes.
  @Test(
    arguments: [
      (0, 0x0338_DC4B_E2CE_CDAE), (1, 0x400F_1D91_D690_6460), (3, 0xE270_8ED6_1FB1_5520),
      (4, 0x8A59_1378_98BE_9BEC), (7, 0x608C_B1D4_2130_A840), (8, 0x9C0D_3AC0_F44F_03C5),
      (16, 0x29CA_BC8F_45BF_37E9), (17, 0xB6D2_8F38_75BB_CD5B), (32, 0xE2E8_310D_C301_9487),
      (33, 0x6B0F_4275_D6C8_34EA), (48, 0x34EE_B68E_B29B_78FB), (64, 0x4D9B_0ACC_7930_4F17),
      (80, 0xFA1D_1BFC_7D38_EB44), (96, 0x2A7E_E73C_DDDA_71C3), (97, 0x8B48_5DCC_37F9_C9C2),
      (112, 0x51F9_FFC7_8C10_A4CB), (113, 0xB7EA_C990_986C_3794), (224, 0x1F36_8B5D_36FE_6747),
      (225, 0xBD9F_7905_C0FE_60E0), (1_000, 0xD725_8DDF_40FE_EC7A),
    ] as [(Int, UInt64)])
  func everyKindOfLengthIsRight(count: Int, expected: UInt64) {
    #expect(checksum(bytes(count), seed: UInt64(count)) == expected)
  }

  @Test(arguments: [1, 5, 12, 30, 111, 300]) func everyBitCounts(count: Int) {
    var bytes = bytes(count)
    var checksums: Set = [checksum(bytes, seed: 9)]
    for bit in 0..<8 * count {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      checksums.insert(checksum(bytes, seed: 9))
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(checksums.count == 8 * count + 1)
  }

  @Test(arguments: [0, 5, 40, 200]) func aSeedChangesEverything(count: Int) {
    let checksums = (0..<64).map { checksum(bytes(count), seed: 1 << UInt64($0)) }
    #expect(Set(checksums).count == 64)
  }
}
