/// The ways in which a file may be packed, told by its first bytes.
package enum Compression: String, CaseIterable {
  case gzip = ".gz"
  case zstd = ".zst"
  case xz = ".xz"

  /// The suffix that a packed file's name bears.
  package var suffix: String { rawValue }

  private func begins(_ head: UnsafeMutableRawBufferPointer) -> Bool {
    switch self {
    case .gzip: return head.starts(with: [0x1F, 0x8B])
    case .xz: return head.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])
    case .zstd:
      guard head.count >= 4 else { return false }
      let magic = UInt32(littleEndian: head.loadUnaligned(as: UInt32.self))
      // A frame, or a frame to skip.
      return magic == 0xFD2F_B528 || magic & 0xFFFF_FFF0 == 0x184D_2A50
    }
  }

  /// A source of the unpacked bytes of another; of the same bytes when they aren't packed.
  static func unpack(_ source: any ByteSource, file: String) throws(TraceError) -> any ByteSource {
    let stored = StoredBytes(source, file: file)
    _ = try stored.fill(6)
    switch allCases.first(where: { $0.begins(stored.window) }) {
    case .gzip: return GzipSource(stored)
    case .zstd: return ZstdSource(stored)
    case .xz: return XZSource(stored)
    case nil:
      // A file cut off within its first bytes must not pass for a text.
      let named = allCases.first { file.lowercased().hasSuffix($0.suffix) }
      if let named, !stored.window.isEmpty {
        throw stored.malformed(
          "the name ends in \(named.suffix), the content is not packed so",
          "rename the file or fetch it again")
      }
      return stored
    }
  }
}
