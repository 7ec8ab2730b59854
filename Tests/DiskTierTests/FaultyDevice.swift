#if os(Linux)
  import Foundation

  /// A file system of which single blocks can be made unreadable: btrfs in a file, whose checksums then fail.
  ///
  /// It needs root, loop devices and `mkfs.btrfs`. A shell unmounts it when this process is through with it,
  /// or dies.
  final class FaultyDevice {
    /// The reason why there is no such device on this machine.
    struct Refusal: Error, CustomStringConvertible { var description: String }

    /// A block that cannot be read, wherever a copy of it is.
    struct BrokenBlock {
      fileprivate var file: String
      fileprivate var offsets: [Int]
      fileprivate var bytes: [UInt8]
    }

    static let block = 4_096
    private static let size = 128 << 20
    private static let script = """
      trap '' INT TERM HUP
      exec 2>&1
      PATH=$PATH:/usr/sbin:/sbin
      cd "$1" && truncate -s \(size) image && mkfs.btrfs -q -d single -m single image &&
        mkdir disk && mount -o loop,max_inline=0 image disk || exit 1
      echo mounted
      cat >/dev/null
      umount disk || umount -l disk
      """

    private let folder = TemporaryFolder()
    private let keeper = Process()
    private let input = Pipe()
    private var image = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// The folder of the file system.
    var path: String { folder.path + "/disk" }

    init() throws {
      let output = Pipe()
      keeper.executableURL = URL(fileURLWithPath: "/bin/sh")
      keeper.arguments = ["-c", Self.script, "sh", folder.path]
      keeper.standardInput = input
      keeper.standardOutput = output
      try keeper.run()
      var told = ""
      while !told.hasSuffix("mounted\n") {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { throw Refusal(description: told) }
        told += String(decoding: data, as: UTF8.self)
      }
      let file = open(folder.path + "/image", O_RDWR)
      defer { close(file) }
      let start = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
      if start == MAP_FAILED { throw Refusal(description: "the image cannot be mapped") }
      image = UnsafeMutableRawBufferPointer(start: start, count: Self.size)
    }

    deinit {
      if let start = image.baseAddress { munmap(start, image.count) }
      try? input.fileHandleForWriting.close()
      if keeper.processIdentifier != 0 { keeper.waitUntilExit() }
    }

    /// Writes a file, down to the device.
    func write(_ bytes: [UInt8], to path: String) throws {
      let url = URL(fileURLWithPath: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url, options: [])
      let handle = try FileHandle(forUpdating: url)
      try handle.synchronize()
      try handle.close()
    }

    /// Makes a block of a file that ``write(_:to:)`` wrote unreadable.
    func breakBlock(_ number: Int, of bytes: [UInt8], in file: String) throws -> BrokenBlock {
      var block = Array(bytes[(number * Self.block)...].prefix(Self.block))
      block += [UInt8](repeating: 0, count: Self.block - block.count)
      let broken = BrokenBlock(file: file, offsets: places(of: block), bytes: block)
      flip(broken.offsets)
      forget(file)
      if isReadable(number, file) { throw Refusal(description: "\(file): block \(number) is read") }
      return broken
    }

    /// Makes a block readable again, unless something else is there now.
    func heal(_ broken: BrokenBlock) {
      var bytes = broken.bytes
      bytes[0] ^= 0xFF
      flip(broken.offsets.filter { holds(bytes, at: $0) })
      forget(broken.file)
    }

    private func places(of bytes: [UInt8]) -> [Int] {
      stride(from: 0, to: image.count, by: Self.block).filter { holds(bytes, at: $0) }
    }

    private func holds(_ bytes: [UInt8], at offset: Int) -> Bool {
      memcmp(image.baseAddress! + offset, bytes, Self.block) == 0
    }

    private func flip(_ offsets: [Int]) { for offset in offsets { image[offset] ^= 0xFF } }

    /// Drops what the system remembers of a file.
    private func forget(_ path: String) {
      let file = open(path, O_RDONLY)
      if file < 0 { return }
      fsync(file)
      posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
      close(file)
    }

    private func isReadable(_ number: Int, _ path: String) -> Bool {
      let file = open(path, O_RDONLY)
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: Self.block)
      return pread(file, &bytes, Self.block, off_t(number * Self.block)) >= 0
    }
  }
#endif
