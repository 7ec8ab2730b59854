import Parameters

/// CloudPhysics' traces of virtual disks: binary records, little-endian.
///
///     version 1, 32 bytes                  version 2, 40 bytes
///     0   uint32  serial number            0   uint16  SCSI command
///     4   uint32  bytes                    2   uint16  version, 2 in the higher byte
///     8   uint32  segments                 4   uint32  serial number
///     12  uint16  SCSI command             8   uint32  bytes
///     14  uint16  version, 1 in the        12  uint32  segments
///                 higher byte              16  uint64  first block
///     16  uint64  first block              24  uint64  time, microseconds
///     24  uint64  time, microseconds       32  uint64  response time
///
/// The key is the first block; a request of several blocks is one request. The version is told
/// by the first two records, as `vscsi.h` in https://github.com/1a1a11a/libCacheSim does.
struct VSCSIFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "vscsi", summary: "CloudPhysics' binary records of disk requests, versions 1 and 2")

  static let isBinary = true
  let keys = KeyKind.integer

  /// A version of the records.
  private struct Version {
    /// The place of the version, and its number.
    let byte: Int
    let number: UInt8
    let layout: RecordLayout

    /// Records in which the version follows the command, and the places of what differs.
    init(_ number: UInt8, size: Int, command: Int, bytes: Int) {
      byte = command + 2
      self.number = number
      layout = RecordLayout(
        size: size, key: .unsigned(8, at: 16), sizes: [.unsigned(4, at: bytes)],
        time: .unsigned(8, at: 24), unit: .microsecond, operation: .unsigned(2, at: command),
        operations: .scsi)
    }

    /// True when the first records, at most that number, bear the version.
    func fits(_ head: some Collection<UInt8>, records: Int) -> Bool {
      let count = min(head.count / layout.size, records)
      return count > 0
        && (0..<count).allSatisfy { record in
          let place = head.index(head.startIndex, offsetBy: record * layout.size + byte + 1)
          return head[place] == number
        }
    }
  }

  /// The versions, in the order in which they are tried.
  private static let versions = [
    Version(2, size: 40, command: 0, bytes: 8), Version(1, size: 32, command: 12, bytes: 4),
  ]

  static func recognition(of sample: TraceSample) -> Recognition {
    let byName = sample.recognition(ofBinary: sample.isNamed("vscsi"))
    if byName > .no { return byName }
    // Without the name two records could be anything's; all of the sample's could not.
    let isAlike = versions.contains { version in
      sample.head.count >= 2 * version.layout.size && version.fits(sample.head, records: .max)
    }
    return isAlike && !sample.isText ? .likely : .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let head = try input.sample().head
    guard let version = Self.versions.first(where: { $0.fits(head, records: 2) }) else {
      throw input.malformed(
        byte: 0, "the first records are of neither version of vscsi",
        "fetch the file again or name its format")
    }
    try version.layout.read(from: input, into: &builder)
  }
}
