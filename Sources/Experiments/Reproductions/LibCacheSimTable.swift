/// A policy's misses in libCacheSim's own test: how many, and how many bytes, for each capacity.
private struct LibCacheSimRow {
  let policy: String
  let misses: [Int]
  let bytes: [Int]
  let standing: PublishedTable.Standing

  init(
    _ policy: String, misses: [Int], bytes: [Int],
    _ standing: PublishedTable.Standing = .comesOut
  ) {
    self.policy = policy
    self.misses = misses
    self.bytes = bytes
    self.standing = standing
  }
}

extension PublishedTable {
  /// The counts in libCacheSim's own test.
  static let libCacheSim = PublishedTable(
    id: "libcachesim-cloudphysics",
    title: "misses and bytes missed on cloudPhysicsIO.oracleGeneral at 128 MiB to 1 GiB",
    source: "J. Yang et al., libCacheSim, test/test_evictionAlgo.c.",
    remarks:
      "Objects have sizes. Each policy is set as libCacheSim implements it, where it can be.",
    cells: libCacheSimRows.flatMap { row in
      let capacities = (1...8).map { "\($0 * 128)MiB" }
      func cells(_ values: [Int], _ measure: Measure) -> [Cell] {
        PublishedRow(row.policy, values.map { "\($0)" }, row.standing).cells(
          trace: "cloudPhysicsIO.oracleGeneral.bin", capacities: capacities, measure: measure)
      }
      return cells(row.misses, .misses) + cells(row.bytes, .missBytes)
    })

  private static let libCacheSimRows = [
    LibCacheSimRow(
      "lru",
      misses: [93_374, 89_783, 83_572, 81_722, 72_494, 72_104, 71_972, 71_704],
      bytes: [
        4_214_303_232, 4_061_242_368, 3_778_040_320, 3_660_569_600,
        3_100_927_488, 3_078_128_640, 3_075_403_776, 3_061_662_720,
      ]),
    LibCacheSimRow(
      "clock",
      misses: [93_313, 89_775, 83_411, 81_328, 74_815, 72_283, 71_927, 64_456],
      bytes: [
        4_213_887_488, 4_064_512_000, 3_762_650_624, 3_644_467_200,
        3_256_760_832, 3_091_688_448, 3_074_241_024, 2_697_378_816,
      ]),
    LibCacheSimRow(
      "clock-pro",
      misses: [96_390, 92_614, 88_911, 85_894, 82_276, 73_203, 63_728, 57_544],
      bytes: [
        4_163_599_360, 3_922_361_856, 3_700_721_152, 3_491_452_416,
        3_245_322_240, 2_653_708_288, 2_413_087_744, 2_293_678_592,
      ],
      .differs("libCacheSim 0.3.5 does not give it either")),
    LibCacheSimRow(
      "fifo",
      misses: [93_403, 89_386, 84_387, 84_025, 72_498, 72_228, 72_182, 72_140],
      bytes: [
        4_213_112_832, 4_052_646_400, 3_829_170_176, 3_807_412_736,
        3_093_146_112, 3_079_525_888, 3_079_210_496, 3_077_547_520,
      ]),
    LibCacheSimRow(
      "opt",
      misses: [79_256, 70_724, 65_481, 61_594, 59_645, 57_599, 50_873, 48_974],
      bytes: [
        3_472_532_480, 2_995_165_696, 2_726_689_792, 2_537_648_128,
        2_403_427_840, 2_269_212_672, 2_134_992_896, 2_029_769_728,
      ]),
    LibCacheSimRow(
      "belady-size",
      misses: [74_276, 64_559, 60_307, 56_523, 54_546, 52_621, 50_580, 48_974],
      bytes: [
        3_510_420_480, 3_046_959_616, 2_774_180_352, 2_537_695_744,
        2_403_428_864, 2_269_255_168, 2_135_001_088, 2_029_769_728,
      ],
      .differs("libCacheSim draws a sample of the residents, here all are compared")),
    LibCacheSimRow(
      "lfu",
      misses: [91_699, 86_720, 78_578, 76_707, 69_945, 66_221, 64_445, 64_376],
      bytes: [
        4_158_632_960, 3_917_211_648, 3_536_227_840, 3_455_379_968,
        3_035_580_416, 2_801_699_328, 2_699_456_000, 2_696_345_600,
      ]),
    LibCacheSimRow(
      "gdsf:order=insert-first",
      misses: [89_070, 84_750, 74_850, 70_490, 67_923, 64_180, 61_027, 58_721],
      bytes: [
        4_210_726_912, 4_057_058_816, 3_719_176_192, 3_436_855_296,
        3_271_648_256, 3_029_728_768, 2_828_456_448, 2_677_800_448,
      ]),
    LibCacheSimRow(
      "lhd",
      misses: [90_534, 86_891, 82_334, 77_339, 71_355, 66_938, 63_677, 61_116],
      bytes: [
        4_211_037_696, 4_059_153_920, 3_834_546_176, 3_596_945_408,
        3_326_034_944, 3_115_964_416, 2_951_718_912, 2_804_600_832,
      ],
      .differs("victims are drawn from another generator")),
    LibCacheSimRow(
      "hyperbolic",
      misses: [92_924, 89_470, 83_452, 81_234, 74_544, 71_234, 69_356, 65_338],
      bytes: [
        4_213_586_432, 4_064_826_368, 3_766_646_272, 3_644_941_824,
        3_245_021_184, 3_035_783_168, 2_939_981_312, 2_754_100_224,
      ],
      .differs("victims are drawn from another generator")),
    LibCacheSimRow(
      "lecar",
      misses: [93_374, 89_067, 80_230, 81_526, 72_159, 67_712, 65_206, 64_541],
      bytes: [
        4_214_303_232, 4_021_100_032, 3_593_971_712, 3_652_036_096,
        3_075_125_760, 2_886_052_864, 2_735_856_128, 2_698_478_080,
      ],
      .differs("experts are drawn from another generator")),
    LibCacheSimRow(
      "cacheus",
      misses: [89_328, 82_377, 80_079, 77_111, 69_654, 69_492, 69_165, 66_072],
      bytes: [
        4_025_448_960, 3_727_429_632, 3_554_795_008, 3_359_375_872,
        3_003_613_696, 2_964_137_472, 2_928_446_976, 2_790_086_656,
      ],
      .differs("experts are drawn from another generator")),
    LibCacheSimRow(
      "lfuda",
      misses: [92_637, 88_601, 82_001, 80_240, 73_214, 71_386, 70_415, 71_128],
      bytes: [
        4_200_012_288, 3_993_467_904, 3_673_375_232, 3_579_174_400,
        3_164_476_928, 3_046_658_048, 2_998_682_624, 3_027_994_112,
      ],
      .differs("libCacheSim adds its lowest priority at every hit")),
    LibCacheSimRow(
      "mru",
      misses: [100_738, 95_058, 89_580, 85_544, 81_725, 77_038, 71_070, 66_919],
      bytes: [
        4_105_477_120, 3_784_799_744, 3_493_475_840, 3_280_475_648,
        3_069_635_072, 2_856_241_152, 2_673_937_408, 2_539_762_688,
      ]),
    LibCacheSimRow(
      "arc",
      misses: [90_252, 85_861, 78_168, 74_297, 67_381, 65_685, 64_439, 64_772],
      bytes: [
        4_068_098_560, 3_821_026_816, 3_525_644_800, 3_296_890_368,
        2_868_538_880, 2_771_180_032, 2_699_484_672, 2_712_971_264,
      ],
      .differs("libCacheSim moves p by a ratio of bytes, here times the size of the object")),
    LibCacheSimRow(
      "slru:segments=4:fill=protected",
      misses: [89_624, 86_725, 82_781, 80_203, 75_388, 65_645, 59_035, 56_063],
      bytes: [
        4_123_085_312, 3_915_534_848, 3_690_704_896, 3_493_027_840,
        3_174_708_736, 2_661_464_064, 2_507_604_992, 2_439_981_056,
      ],
      .differs("libCacheSim 0.3.5 does not give it either")),
    LibCacheSimRow(
      "qd-lp",
      misses: [88_746, 80_630, 76_450, 71_638, 67_380, 65_680, 66_125, 64_417],
      bytes: [
        4_008_265_728, 3_625_704_960, 3_330_610_176, 3_099_731_456,
        2_868_538_880, 2_771_098_112, 2_734_977_024, 2_697_751_552,
      ]),
    LibCacheSimRow(
      "s3fifo:form=libcachesim:fill=main",
      misses: [90_117, 80_915, 75_060, 72_191, 69_815, 65_542, 60_799, 56_045],
      bytes: [
        4_058_576_896, 3_573_827_584, 3_244_417_024, 3_061_737_984,
        2_898_109_952, 2_628_363_776, 2_425_027_072, 2_327_934_464,
      ]),
    LibCacheSimRow(
      "lirs",
      misses: [89_819, 79_237, 73_143, 70_363, 68_405, 64_494, 58_640, 53_924],
      bytes: [
        4_060_558_336, 3_525_952_512, 3_199_406_080, 3_011_810_816,
        2_848_310_272, 2_580_918_784, 2_361_375_744, 2_288_325_120,
      ],
      .differs("libCacheSim restores the limits of LIR blocks in bytes by other steps")),
    LibCacheSimRow(
      "random",
      misses: [92_457, 88_582, 84_459, 80_277, 76_132, 72_134, 68_230, 64_225],
      bytes: [
        4_170_166_272, 3_975_292_416, 3_757_524_992, 3_539_850_752,
        3_321_110_016, 3_113_551_360, 2_917_275_648, 2_725_705_216,
      ],
      .differs("victims are drawn from another generator")),
  ]
}
