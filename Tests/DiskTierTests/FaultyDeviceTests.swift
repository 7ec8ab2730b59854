#if os(Linux)
  import DiskTier
  import Foundation
  import StoreFaults
  import Testing

  /// A real device that fails: each block of each file of a store in turn is unreadable, and well again later.
  @Suite(.serialized) struct FaultyDeviceTests {
    private static let keys = 12

    /// The files of a store that was closed.
    private static func closedStore() throws -> [String: [UInt8]] {
      let folder = TemporaryFolder()
      let store = try HybridStore(path: folder.store, options: .testing())
      for key in 0..<keys {
        try StoreStep.put(key: key, value: key).run(on: store)
      }
      try store.close()
      return try files(of: folder)
    }

    /// The files of a store whose process was killed: most of it is in the write-ahead log.
    ///
    /// How many calls a step takes depends on the threads behind it. A kill that falls into a step which empties
    /// or closes the store leaves little of it: the first that leaves enough is taken.
    private static func killedStore() throws -> [String: [UInt8]] {
      for calls in stride(from: 80, through: 400, by: 10) {
        let folder = TemporaryFolder()
        let worker = try Worker([
          folder.store, folder.path + "/log", "7", "200", "0", "\(keys)", "process-crash",
          "\(calls)",
        ])
        #expect(worker.wait() == SIGKILL)
        let files = try files(of: folder)
        let log = files["manifest.sqlite-wal"] ?? []
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder.store, toPath: copy.store)
        let store = try HybridStore(path: copy.store, options: .testing())
        let held = try ExpectedValues.held(by: store, keys: keys)
        try store.close()
        if log.count > 10 * FaultyDevice.block && held.values.count > 2 { return files }
      }
      Issue.record("no kill leaves entries, most of them in the log")
      return [:]
    }

    private static func files(of folder: TemporaryFolder) throws -> [String: [UInt8]] {
      var files: [String: [UInt8]] = [:]
      for path in folder.files("") {
        let name = String(path.dropFirst(folder.store.count).drop { $0 == "/" })
        files[name] = try folder.read(name)
      }
      return files
    }

    /// Breaks each block in turn, runs `body` on the store, heals the block, and looks for every entry.
    private func eachBlock(
      of files: [String: [UInt8]],
      _ body: (_ path: String, _ expected: ExpectedValues) throws -> Void
    ) throws {
      let device: FaultyDevice
      do { device = try FaultyDevice() } catch {
        return print("skipped: no device can be made faulty here: \(error)")
      }
      func write(to place: String) throws {
        for (name, bytes) in files { try device.write(bytes, to: "\(place)/\(name)") }
      }
      let sound = device.path + "/sound"
      try write(to: sound)
      let store = try HybridStore(path: sound, options: .testing())
      let held = try ExpectedValues.held(by: store, keys: Self.keys)
      try store.close()
      #expect(held.problems == [] && held.values.count > 2)
      let expected = ExpectedValues(values: held.values)
      for (name, bytes) in files.sorted(by: { $0.key < $1.key })
      where name.hasPrefix("manifest.sqlite") || name.hasPrefix("data/") {
        for number in 0..<(bytes.count + FaultyDevice.block - 1) / FaultyDevice.block {
          let place = device.path + "/store"
          try write(to: place)
          let broken = try device.breakBlock(number, of: bytes, in: "\(place)/\(name)")
          try body(place, expected)
          device.heal(broken)
          let comment = Comment(rawValue: "\(name), block \(number)")
          let store = try HybridStore(path: place, options: .testing())
          store.waitForBackgroundWork()
          #expect(try expected.problems(of: store, keys: Self.keys) == [], comment)
          #expect(store.statistics.setAsides == 0, comment)
          try store.close()
          let names = try FileManager.default.contentsOfDirectory(atPath: place)
          #expect(!names.contains { $0.hasPrefix("corrupt-") }, comment)
          try FileManager.default.removeItem(atPath: place)
        }
      }
    }

    /// Uses a store as far as the disk allows; returns the number of errors, all of which are the disk's.
    private func use(_ path: String, _ expected: ExpectedValues) throws -> Int {
      var errors = 0
      func attempt<Result>(_ body: () throws(StoreError) -> Result) throws -> Result? {
        do throws(StoreError) { return try body() } catch {
          guard case .io = error else { throw error }
          errors += 1
          return nil
        }
      }
      let opened = try attempt { () throws(StoreError) in
        try HybridStore(path: path, options: .testing())
      }
      guard let store = opened else { return errors }
      for repair in [false, true] {
        for key in 0..<Self.keys {
          let before = errors
          let found = try attempt { () throws(StoreError) in try store.get(StoreStep.name(key)) }
          if errors > before { continue }
          #expect(found??.metadata.cost == expected.values[key])
        }
        _ = try attempt { () throws(StoreError) in try store.check(repair: repair) }
      }
      _ = try attempt { () throws(StoreError) in try store.close() }
      return errors
    }

    @Test func noUnreadableBlockOfAClosedStoreCostsAnEntry() throws {
      var errors: [Int] = []
      try eachBlock(of: Self.closedStore()) { path, expected in
        errors.append(try use(path, expected))
      }
      #expect(errors.allSatisfy { $0 > 0 }, "a block that is not read tests nothing: \(errors)")
    }

    @Test func noUnreadableBlockOfAKilledStoreCostsAnEntry() throws {
      var errors: [Int] = []
      try eachBlock(of: Self.killedStore()) { path, expected in
        errors.append(try use(path, expected))
      }
      #expect(errors.isEmpty || errors.contains { $0 > 0 })
    }

    /// A mapped page that cannot be read kills the process; what is in the store survives that.
    @Test func noUnreadableBlockThatIsMappedCostsAnEntry() throws {
      var signals: [Int32] = []
      try eachBlock(of: Self.closedStore()) { path, _ in
        signals.append(try Worker(["read", path, "\(Self.keys)", "\(1 << 30)"]).wait())
      }
      #expect(signals.isEmpty || signals.contains(SIGBUS))
    }
  }
#endif
