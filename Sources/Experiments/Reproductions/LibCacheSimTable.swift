/// A policy's misses in libCacheSim's own test: how many, and how many bytes, for each capacity.
struct LibCacheSimRow {
  let policy: String
  let misses: [Int]
  let bytes: [Int]
  /// The counts here; empty where they are the printed ones.
  let missesHere: [Int]
  let bytesHere: [Int]
  /// The counts here of a policy that draws: by capacity, then by seed.
  let missesBySeed: [[Int]]
  let bytesBySeed: [[Int]]
  let reason: String?

  init(
    _ policy: String, misses: [Int], bytes: [Int], missesHere: [Int] = [], bytesHere: [Int] = [],
    missesBySeed: [[Int]] = [], bytesBySeed: [[Int]] = [], because reason: String? = nil
  ) {
    self.policy = policy
    self.misses = misses
    self.bytes = bytes
    self.missesHere = missesHere
    self.bytesHere = bytesHere
    self.missesBySeed = missesBySeed
    self.bytesBySeed = bytesBySeed
    self.reason = reason
  }

  /// The row's cells.
  var cells: [PublishedTable.Cell] {
    let row = PublishedRow(
      policy, misses.map { "\($0)" }, here: missesHere, bySeed: missesBySeed, because: reason)
    let bytesRow = PublishedRow(
      policy, bytes.map { "\($0)" }, here: bytesHere, bySeed: bytesBySeed, because: reason)
    let trace = "cloudPhysicsIO.oracleGeneral.bin"
    let capacities = (1...8).map { "\($0 * 128)MiB" }
    return row.cells(trace: trace, capacities: capacities, measure: .misses)
      + bytesRow.cells(trace: trace, capacities: capacities, measure: .missBytes)
  }
}

extension PublishedTable {
  /// The counts in libCacheSim's own test.
  static let libCacheSim = PublishedTable(
    id: "libcachesim-cloudphysics",
    title: "misses and bytes missed on cloudPhysicsIO.oracleGeneral at 128 MiB to 1 GiB",
    source: "J. Yang et al., libCacheSim, test/test_evictionAlgo.c.",
    edition: "commit 0379a0199994e19e707bd8857bc299681c23d659",
    remarks:
      "Objects have sizes. Each policy is set as libCacheSim implements it, where it can be. The rows of SR-LRU, CR-LFU and the older S3-FIFO of that file are left out.",
    cells: (libCacheSimRows + libCacheSimDrawnRows).flatMap(\.cells))

  private static let libCacheSimRows = [
    LibCacheSimRow(
      "lru",
      misses: [
        93_374, 89_783, 83_572, 81_722, 72_494, 72_104, 71_972, 71_704,
      ],
      bytes: [
        4_214_303_232, 4_061_242_368, 3_778_040_320, 3_660_569_600, 3_100_927_488,
        3_078_128_640, 3_075_403_776, 3_061_662_720,
      ]),
    LibCacheSimRow(
      "clock",
      misses: [
        93_313, 89_775, 83_411, 81_328, 74_815, 72_283, 71_927, 64_456,
      ],
      bytes: [
        4_213_887_488, 4_064_512_000, 3_762_650_624, 3_644_467_200, 3_256_760_832,
        3_091_688_448, 3_074_241_024, 2_697_378_816,
      ]),
    LibCacheSimRow(
      "clock-pro",
      misses: [
        96_390, 92_614, 88_911, 85_894, 82_276, 73_203, 63_728, 57_544,
      ],
      bytes: [
        4_163_599_360, 3_922_361_856, 3_700_721_152, 3_491_452_416, 3_245_322_240,
        2_653_708_288, 2_413_087_744, 2_293_678_592,
      ],
      missesHere: [
        90_002, 81_323, 74_681, 72_562, 71_210, 65_721, 62_109, 58_775,
      ],
      bytesHere: [
        4_051_227_648, 3_603_795_968, 3_233_047_040, 3_109_419_520, 3_026_308_096,
        2_662_473_728, 2_448_877_056, 2_346_915_840,
      ],
      because:
        "libCacheSim promotes every cold page that was referenced, and begins without hot ones"),
    LibCacheSimRow(
      "fifo",
      misses: [
        93_403, 89_386, 84_387, 84_025, 72_498, 72_228, 72_182, 72_140,
      ],
      bytes: [
        4_213_112_832, 4_052_646_400, 3_829_170_176, 3_807_412_736, 3_093_146_112,
        3_079_525_888, 3_079_210_496, 3_077_547_520,
      ]),
    LibCacheSimRow(
      "opt",
      misses: [
        79_256, 70_724, 65_481, 61_594, 59_645, 57_599, 50_873, 48_974,
      ],
      bytes: [
        3_472_532_480, 2_995_165_696, 2_726_689_792, 2_537_648_128, 2_403_427_840,
        2_269_212_672, 2_134_992_896, 2_029_769_728,
      ]),
    LibCacheSimRow(
      "lfu",
      misses: [
        91_699, 86_720, 78_578, 76_707, 69_945, 66_221, 64_445, 64_376,
      ],
      bytes: [
        4_158_632_960, 3_917_211_648, 3_536_227_840, 3_455_379_968, 3_035_580_416,
        2_801_699_328, 2_699_456_000, 2_696_345_600,
      ]),
    LibCacheSimRow(
      "gdsf:order=insert-first",
      misses: [
        89_070, 84_750, 74_850, 70_490, 67_923, 64_180, 61_027, 58_721,
      ],
      bytes: [
        4_210_726_912, 4_057_058_816, 3_719_176_192, 3_436_855_296, 3_271_648_256,
        3_029_728_768, 2_828_456_448, 2_677_800_448,
      ]),
    LibCacheSimRow(
      "lfuda",
      misses: [
        92_637, 88_601, 82_001, 80_240, 73_214, 71_386, 70_415, 71_128,
      ],
      bytes: [
        4_200_012_288, 3_993_467_904, 3_673_375_232, 3_579_174_400, 3_164_476_928,
        3_046_658_048, 2_998_682_624, 3_027_994_112,
      ],
      missesHere: [
        92_847, 89_350, 82_788, 80_516, 73_828, 70_521, 68_831, 66_220,
      ],
      bytesHere: [
        4_211_977_216, 4_053_284_352, 3_731_244_032, 3_602_557_440, 3_204_323_328,
        2_989_859_840, 2_884_612_608, 2_810_896_384,
      ],
      because: "libCacheSim's hit adds its lowest priority to the object's (LFUDA.c at 118cb492a)"),
    LibCacheSimRow(
      "mru",
      misses: [
        100_738, 95_058, 89_580, 85_544, 81_725, 77_038, 71_070, 66_919,
      ],
      bytes: [
        4_105_477_120, 3_784_799_744, 3_493_475_840, 3_280_475_648, 3_069_635_072,
        2_856_241_152, 2_673_937_408, 2_539_762_688,
      ]),
    LibCacheSimRow(
      "arc",
      misses: [
        90_252, 85_861, 78_168, 74_297, 67_381, 65_685, 64_439, 64_772,
      ],
      bytes: [
        4_068_098_560, 3_821_026_816, 3_525_644_800, 3_296_890_368, 2_868_538_880,
        2_771_180_032, 2_699_484_672, 2_712_971_264,
      ],
      missesHere: [
        91_314, 83_996, 77_795, 75_026, 67_254, 65_685, 64_439, 64_367,
      ],
      bytesHere: [
        4_133_811_200, 3_799_744_512, 3_511_835_136, 3_334_182_912, 2_861_431_808,
        2_771_180_032, 2_699_484_672, 2_696_124_416,
      ],
      because: "libCacheSim moves p by a ratio of bytes, here by that ratio times the object's size"
    ),
    LibCacheSimRow(
      "slru:segments=4:fill=protected",
      misses: [
        89_624, 86_725, 82_781, 80_203, 75_388, 65_645, 59_035, 56_063,
      ],
      bytes: [
        4_123_085_312, 3_915_534_848, 3_690_704_896, 3_493_027_840, 3_174_708_736,
        2_661_464_064, 2_507_604_992, 2_439_981_056,
      ],
      missesHere: [
        90_669, 87_161, 83_210, 80_034, 74_902, 64_898, 59_099, 57_356,
      ],
      bytesHere: [
        4_152_289_280, 3_927_816_704, 3_701_144_064, 3_499_706_368, 3_172_658_176,
        2_662_907_904, 2_526_584_320, 2_526_834_688,
      ],
      because:
        "libCacheSim refuses objects larger than a segment (SLRU.c at 0a4353cdb); release 0.3.5 does "
        + "not give the row either"),
    LibCacheSimRow(
      "qd-lp",
      misses: [
        88_746, 80_630, 76_450, 71_638, 67_380, 65_680, 66_125, 64_417,
      ],
      bytes: [
        4_008_265_728, 3_625_704_960, 3_330_610_176, 3_099_731_456, 2_868_538_880,
        2_771_098_112, 2_734_977_024, 2_697_751_552,
      ]),
    LibCacheSimRow(
      "sieve",
      misses: [
        91_699, 86_720, 78_578, 76_707, 69_945, 66_221, 64_445, 64_376,
      ],
      bytes: [
        4_158_632_960, 3_917_211_648, 3_536_227_840, 3_455_379_968, 3_035_580_416,
        2_801_699_328, 2_699_456_000, 2_696_345_600,
      ]),
    LibCacheSimRow(
      "s3fifo:form=libcachesim:fill=main",
      misses: [
        90_117, 80_915, 75_060, 72_191, 69_815, 65_542, 60_799, 56_045,
      ],
      bytes: [
        4_058_576_896, 3_573_827_584, 3_244_417_024, 3_061_737_984, 2_898_109_952,
        2_628_363_776, 2_425_027_072, 2_327_934_464,
      ]),
    LibCacheSimRow(
      "lirs",
      misses: [
        89_819, 79_237, 73_143, 70_363, 68_405, 64_494, 58_640, 53_924,
      ],
      bytes: [
        4_060_558_336, 3_525_952_512, 3_199_406_080, 3_011_810_816, 2_848_310_272,
        2_580_918_784, 2_361_375_744, 2_288_325_120,
      ],
      missesHere: [
        90_850, 85_929, 79_191, 70_350, 68_406, 64_476, 58_992, 53_899,
      ],
      bytesHere: [
        4_067_003_392, 3_780_601_856, 3_359_081_472, 3_010_864_640, 2_846_782_464,
        2_580_122_624, 2_383_023_104, 2_288_073_728,
      ],
      because:
        "libCacheSim demotes one LIR block per eviction, here as many as make room (LIRS.c at 214804cff)"
    ),
  ]
}
