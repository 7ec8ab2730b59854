#if os(Linux)
  import Foundation

  /// A file system of a few megabytes in memory, which this process unmounts when it is through with it.
  ///
  /// It needs root.
  final class SmallDisk {
    private let folder = TemporaryFolder()

    /// The path of a folder in it.
    var store: String { folder.path + "/disk/store" }

    /// Nil where nothing can be mounted.
    init?(bytes: Int) {
      let path = folder.path + "/disk"
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      if mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") != 0 {
        print("skipped: no small disk can be mounted here: \(String(cString: strerror(errno)))")
        return nil
      }
    }

    deinit { umount2(folder.path + "/disk", Int32(MNT_DETACH)) }
  }
#endif
