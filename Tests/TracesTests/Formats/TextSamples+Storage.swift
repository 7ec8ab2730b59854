/// Samples of traces of storage.
extension TextSample {
  static let storage = [
    fiu, blkparse, fio, baleen, rocksDB, metaCDN, tencentPhoto, tragen,
  ]

  static let fiu = TextSample(
    format: "fiu", name: "webmail+online.cs.fiu.edu-110108-113008.1.blkparse",
    text: """
      89968195792462 20782 gzip 16 8 R 6 0 56f11b711d91a065a2b6458eca924523
      89968195792463 4892 syslogd 24 16 W 6 0 a 1
      89968195792464 4892 syslogd 16 8 W 8 1 b

      """,
    ids: [0, 1, 2, 3], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("89968195792464 4892 syslogd 16 8 W 8 1", "8 columns where 9 are needed"),
      ("89968195792464 4892 syslogd 16 8 T 8 1 b", "'T' is no operation"),
      ("89968195792464 4892 syslogd x 8 W 8 1 b", "'x' is no offset"),
      ("now 4892 syslogd 16 8 W 8 1 b", "'now' is no time"),
    ])

  static let blkparse = TextSample(
    format: "blkparse", name: "sda.blkparse",
    text: """
        8,0    3        1     0.000000000   697  Q   W 16 + 8 [kjournald]
        8,0    3        2     0.000001829   697  G   W 16 + 8 [kjournald]
        8,0    3        3     0.000002000   697  P   N [kjournald]
        8,0    3        0     0.000003000     0  m   N cfq697 insert_request
        8,0    3        4     0.000004000   697  Q FWFS [kjournald]
        8,0    1        5     1.500000000   698  Q  RA 16 + 16 [dd]
        8,0    1        6     1.500001000   698  Q   D 16 + 16 [dd]
        8,16   1        7     1.500002000   698  C  RS 16 + 8 [0]
        8,16   1        8     2.000000000   699  Q  WS 16 + 8 [my app]
      CPU0 (8,0):
       Reads Queued:           1,        8KiB  Writes Queued:           1,        4KiB
      Throughput (R/W): 4KiB/s / 4KiB/s
      Events (8,0): 8 entries
      Skips: 0 forward (0 -   0.0%)

      """,
    ids: [0, 0, 1, 2], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("8,0 3 1 0.1 697 Q W 16 + x [a]", "'x' is no number of sectors"),
      ("8,0 3 1 0.1 697 Q W x + 8 [a]", "'x' is no sector"),
      ("8,0 3 1 now 697 Q W 16 + 8 [a]", "'now' is no time"),
      ("8,0 3 1 0.1 697 Q W 16 8 [a]", "no sector + sectors"),
      ("8 0 3 1 0.1 697 Q W 16 + 8 [a]", "no event of a device"),
    ])

  static let fio = TextSample(
    format: "fio", name: "job.iolog",
    text: """
      fio version 3 iolog
      2 /dev/sda add
      3 /dev/sda open
      878 /dev/sda write 0 8192
      888 /dev/sda read 4096 4096
      889 /dev/sda sync 0 0
      891 /dev/sdb read 4096 1
      900 /dev/sda close

      """,
    ids: [0, 1, 1, 2], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("901", "1 fields"), ("901 /dev/sda dance 0 1", "'dance' is no action"),
      ("901 /dev/sda read 0", "no offset and length"),
      ("901 /dev/sda read x 1", "'x' is no offset"),
      ("901 /dev/sda read 1 x", "'x' is no length"),
      ("now /dev/sda read 0 1", "'now' is no time"),
      (
        "901 /dev/sda read 18446744073709551615 2", "a request of 2 bytes from 18446744073709551615"
      ),
    ])

  static let baleen = TextSample(
    format: "baleen", name: "full_0_1.trace",
    text: """
      # host_name=Region7 year=2023
      40231 4096 8192 1697000001.25 2 1 1 3 1 host1
      40231 8192 100 1697000002 4 1 1 3 1 host1
      7 8192 4096 1697000003 5 1 1 3 1 host1

      """,
    ids: [0, 1, 1, 2], columns: [.sizes, .times, .operations, .keyLengths],
    damage: [
      ("7 8192 4096 1697000003 5 1 1", "7 columns where 8 are needed"),
      ("7 8192 4096 1697000003 9 1 1 3", "'9' is no operation"),
    ])

  static let rocksDB = TextSample(
    format: "rocksdb", name: "human_readable_block_trace",
    text: """
      1571771400000000,17,9,4096,0,default,2,43,1,0,5,3,120,0,1,60,1,99,24,20,81920
      1571771400000007,18,7,100,1,meta,2,43,1,0,5,3,120,1,0,0,1,99,24,20,0
      1571771400000009,17,9,4096,0,default,2,43,2,1,6,3,120,1,1,60,1,99,24,20,81920

      """,
    ids: [0, 1, 0], columns: [.sizes, .times, .classes, .keyLengths],
    damage: [
      ("1571771400000000,17,9,4096", "4 columns where 21 are needed"),
      ("1,17,9,x,0,default,2,43,1,0,5,3,120,0,1,60,1,99,24,20,81920", "'x' is no size"),
      ("x,17,9,1,0,default,2,43,1,0,5,3,120,0,1,60,1,99,24,20,81920", "'x' is no time"),
      ("1,,9,1,0,default,2,43,1,0,5,3,120,0,1,60,1,99,24,20,81920", "the key is empty"),
    ])

  static let metaCDN = TextSample(
    format: "meta-cdn", name: "nha.csv",
    text: """
      timestamp,cacheKey,OpType,objectSize,responseSize,responseHeaderSize,rangeStart,rangeEnd,TTL,SamplingRate,cache_hit
      1679500000,5133,1,92160,4096,300,0,4095,86400,1,0
      1679500001,5134,1,10,10,300,-1,-1,0,1,1
      1679500002,5133,1,92160,4096,300,4096,8191,86400,1,1

      """,
    ids: [0, 1, 0], columns: [.sizes, .times, .ttls, .keyLengths],
    damage: [
      ("1679500002,5133,1,92160", "4 columns where 11 are needed"),
      ("1679500002,5133,1,-1,4096,300,4096,8191,86400,1,1", "'-1' is no size"),
      ("1679500002,5133,1,1,4096,300,4096,8191,-6,1,1", "'-6' is no time to live"),
    ])

  static let tencentPhoto = TextSample(
    format: "tencent-photo", name: "1000wlog",
    text: """
      20160201164559 b4d3d7d28ae8dc6fb3e14a6ea2a4ed6d5d8f8e3d 5 m 24085 0 PHONE 12
      20160201164600 b4d3d7d28ae8dc6fb3e14a6ea2a4ed6d5d8f8e3d 5 b 90000 1 PC 0
      20160201164601 b4d3d7d28ae8dc6fb3e14a6ea2a4ed6d5d8f8e3d 5 m 24085 1 PC 0

      """,
    ids: [0, 1, 0], columns: [.sizes, .times, .keyLengths],
    damage: [
      ("20160201164601 b4d3 5 m 24085 1", "6 columns where 8 are needed"),
      ("20161301164601 b4d3 5 m 24085 1 PC 0", "'20161301164601' is no time"),
      ("20160201164601 b4d3 5 m x 1 PC 0", "'x' is no size"),
    ])

  static let tragen = TextSample(
    format: "tragen", name: "tragen-out.txt",
    text: "0,0,26\n1,1,12\n1,0,26\n", ids: [0, 1, 0], columns: [.sizes, .times, .keyLengths],
    damage: [("1,0", "2 columns where 3 are needed"), ("1,0,x", "'x' is no size")])
}
