import CSQLite
import DiskTier
import Eviction
import Foundation
import StoreFaults
import Testing

/// Folders in which other things are than a store, or besides it: nothing of them is ever touched.
@Suite struct ForeignFolderTests {
  /// A folder that chance has filled, with another beside it that links lead to.
  private struct Place {
    let folder = TemporaryFolder()
    /// Paths below the folder that no opening may touch.
    var foreign: Set<String> = []
    /// Paths of files that a crash of the store may have left, which opening removes.
    var leftovers: Set<String> = []
    var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func hex(_ digits: Int) -> String {
      String((0..<digits).map { _ in "0123456789abcdef".randomElement(using: &generator)! })
    }

    /// A name that a store gives to no file at that place.
    mutating func name() -> String {
      let names = [
        "notes.txt", "IMG_\(number(0..<9_999)).jpg", ".git", "a b", "ä", "2024", "thesis", "f",
        "100", "0A", "40", "ff", hex(31), hex(33), hex(16), hex(32).uppercased() + "Z",
        "+" + hex(31), "corrupt-", "corrupt-7x", "corrupt-5.sqlite", "lock.txt", "store",
      ]
      return names.randomElement(using: &generator)!
    }

    mutating func add(_ path: String, _ bytes: [UInt8]) {
      try? folder.write(bytes, to: path)
      if folder.exists(path) { foreign.insert("store/\(path)") }
    }

    /// Adds files below a part of the folder, some levels down.
    mutating func addFiles(below part: String) {
      for _ in 0..<number(1..<5) {
        let levels = (0..<number(1..<4)).map { _ in name() }
        add(([part] + levels).filter { !$0.isEmpty }.joined(separator: "/"), [7, 7])
      }
    }

    /// Adds a link to the folder beside, or to a file in it.
    mutating func link(_ path: String) {
      let parent = (folder.store + "/\(path)" as NSString).deletingLastPathComponent
      try? FileManager.default.createDirectory(
        atPath: parent, withIntermediateDirectories: true)
      let target =
        folder.path + ["/outside", "/outside/will.txt"].randomElement(using: &generator)!
      if symlink(target, folder.store + "/\(path)") == 0 { foreign.insert("store/\(path)") }
    }

    /// Fills the folder beside with what a store that follows links would delete.
    mutating func fillOutside() throws {
      let hash = hex(16)
      let start = UInt64(hash, radix: 16)!
      let branches = [start >> 58, start >> 52 & 63].map { String(format: "%02x", Int($0)) }
      let values = ["", branches[1] + "/", branches.joined(separator: "/") + "/"].map {
        "\($0)\(hash)\(hex(16))"
      }
      for path in values + ["will.txt", "manifest.sqlite", "data/x"] {
        try folder.write([1, 2, 3], to: "../outside/\(path)")
        foreign.insert("outside/\(path)")
      }
    }

    /// Adds what a crash may leave.
    mutating func addLeftovers() {
      let hash = hex(16)
      let start = UInt64(hash, radix: 16)!
      let branches = String(format: "%02x/%02x", Int(start >> 58), Int(start >> 52 & 63))
      let value = "\(branches)/\(hash)\(hex(16))"
      for path in ["temporary/\(hex(32))", "data/\(value)", "trash/\(hex(16))/\(value)"] {
        // A part of the path may be a link by now.
        let parent = (folder.store + "/\(path)" as NSString).deletingLastPathComponent
        let resolved = URL(fileURLWithPath: parent).resolvingSymlinksInPath().path
        if resolved != parent { continue }
        try? folder.write([1], to: path)
        if folder.exists(path) { leftovers.insert("store/\(path)") }
      }
    }

    /// Everything in the folder and beside it: a file's bytes, a link's target.
    func content() -> [String: [UInt8]] {
      var content: [String: [UInt8]] = [:]
      let names = FileManager.default.enumerator(atPath: folder.path)
      while let name = names?.nextObject() as? String {
        let path = "\(folder.path)/\(name)"
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
          content[name] = Array("-> \(target)".utf8)
        } else {
          content[name] = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
        }
      }
      return content
    }
  }

  enum Kind: CaseIterable {
    case empty, project, layout, otherDatabase, otherLock
    case store, storeWithoutLock, halfAStore, links, linksInPlaceOfParts
  }

  /// The files of a closed store with some values.
  private static func template() throws -> [String: [UInt8]] {
    let folder = TemporaryFolder()
    let store = try HybridStore(path: folder.store, options: .testing())
    for key in 0..<9 { try store.put(bytes(key), forKey: StoreStep.name(key), cost: key) }
    try store.close()
    var files: [String: [UInt8]] = [:]
    for path in folder.files("") {
      let name = String(path.dropFirst(folder.store.count)).drop { $0 == "/" }
      files[String(name)] = try folder.read(String(name))
    }
    return files
  }

  /// Fills a place; returns whether it is a store's.
  private func fill(
    _ place: inout Place, _ kind: Kind, _ template: [String: [UInt8]]
  ) throws -> Bool {
    try place.fillOutside()
    try FileManager.default.createDirectory(
      atPath: place.folder.store, withIntermediateDirectories: true)
    func makeStore(without lock: Bool = false) throws {
      for (name, bytes) in template where !lock || name != "lock" {
        try place.folder.write(bytes, to: name)
      }
    }
    switch kind {
    case .empty: return true
    case .project:
      for part in ["", "Sources", "data", "temporary", "trash"] { place.addFiles(below: part) }
      return false
    case .layout:
      for _ in 0..<3 { place.add("data/\(place.hex(2))/\(place.hex(2))/\(place.hex(32))", [1]) }
      place.add("temporary/\(place.hex(32))", [2])
      place.add("trash/\(place.hex(16))/00/00/\(String(repeating: "0", count: 32))", [3])
      place.add("corrupt-\(place.number(0..<99))/manifest.sqlite", [4])
      return false
    case .otherDatabase:
      if Bool.random(using: &place.generator) {
        place.add("manifest.sqlite", [UInt8](repeating: 9, count: place.number(0..<200)))
      } else {
        var database: OpaquePointer?
        sqlite3_open("\(place.folder.store)/manifest.sqlite", &database)
        sqlite3_exec(database, "CREATE TABLE other (x)", nil, nil, nil)
        sqlite3_close(database)
        place.foreign.insert("store/manifest.sqlite")
      }
      place.add("data/00/00/\(String(repeating: "0", count: 32))", [3])
      return false
    case .otherLock:
      let locks = ["4711\n", "EvictionLab", "EvictionLab store\n\n", ""]
      place.add("lock", Array(locks.randomElement(using: &place.generator)!.utf8))
      place.addFiles(below: "data")
      return false
    case .store:
      try makeStore()
      for part in ["", "data", "data/00", "data/3f/00", "temporary", "trash"] {
        place.addFiles(below: part)
      }
      let displaced = place.hex(31)
      place.add("data/01/00/f\(displaced)", [5])
      place.add("trash/\(place.hex(16))/01/00/f\(displaced)", [5])
      place.addLeftovers()
      return true
    case .storeWithoutLock:
      try makeStore(without: true)
      place.addFiles(below: "")
      place.addLeftovers()
      return true
    case .halfAStore:
      let mark = template["lock"]!
      try place.folder.write(Array(mark.prefix(place.number(0..<mark.count + 1))), to: "lock")
      return true
    case .links:
      try makeStore()
      place.link("data/2a")
      place.link("data/15/\(place.hex(1) == "0" ? "00" : "01")")
      place.link("data/00/00/\(String(repeating: "0", count: 32))")
      place.link("temporary/\(place.hex(32))")
      place.link("trash/\(place.hex(16))")
      place.link("trash/\(place.hex(16))/00")
      place.link("corrupt-\(place.number(0..<9))")
      place.link("another")
      place.addLeftovers()
      return true
    case .linksInPlaceOfParts:
      try makeStore()
      let part = ["data", "temporary", "trash", "lock", "manifest.sqlite", "manifest.sqlite-wal"]
        .randomElement(using: &place.generator)!
      try? FileManager.default.removeItem(atPath: "\(place.folder.store)/\(part)")
      place.link(part)
      return false
    }
  }

  /// The paths of what is not as it was.
  private static func changes(
    from before: [String: [UInt8]], to after: [String: [UInt8]]
  ) -> Set<String> {
    Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
  }

  /// The seed is printed with each failure.
  @Test func noForeignFileIsTouchedInAThousandFolders() throws {
    let template = try Self.template()
    // Only to sync nothing, which would cost most of the time.
    let environment = FaultyDisk().environment
    var refused = 0
    for seed in 0..<1_000 as Range<UInt64> {
      var place = Place(seed: seed)
      let kind = Kind.allCases.randomElement(using: &place.generator)!
      let isStore = try fill(&place, kind, template)
      let comment = Comment(rawValue: "seed \(seed), \(kind)")
      let before = place.content()
      #expect(place.foreign.isSubset(of: before.keys), comment)
      let options = StoreOptions.testing {
        $0.sharing = Bool.random(using: &place.generator) ? .shared : .exclusive
        $0.orphanGrace = 0
      }
      do throws(StoreError) {
        let store = try HybridStore(
          path: place.folder.store, options: options, environment: environment)
        #expect(isStore, comment)
        store.waitForBackgroundWork()
        try store.put(bytes(fileValue), forKey: "new")
        let report = try store.check(repair: true)
        #expect(report.isClean, comment)
        try store.close()
        let after = place.content()
        let changed = Self.changes(from: before, to: after)
        #expect(place.foreign.intersection(changed) == [], comment)
        #expect(place.leftovers.intersection(after.keys) == [], comment)
      } catch {
        refused += 1
        #expect(!isStore, "\(comment): \(error)")
        guard case .foreign = error else { throw error }
        #expect(Self.changes(from: before, to: place.content()) == [], comment)
      }
    }
    #expect((300..<700).contains(refused))
  }

  /// The seed is printed with each failure.
  @Test func noForeignFileIsDeletedWithAStore() throws {
    let template = try Self.template()
    let environment = FaultyDisk().environment
    var (refused, deleted) = (0, 0)
    for seed in 0..<300 as Range<UInt64> {
      var place = Place(seed: seed)
      let kind = Kind.allCases.randomElement(using: &place.generator)!
      let isStore = try fill(&place, kind, template)
      let comment = Comment(rawValue: "seed \(seed), \(kind)")
      let before = place.content()
      do throws(StoreError) {
        let wasThere = try HybridStore.delete(at: place.folder.store, environment: environment)
        #expect(isStore, comment)
        #expect(wasThere == (kind != .empty), comment)
        let after = place.content()
        #expect(place.foreign.intersection(Self.changes(from: before, to: after)) == [], comment)
        let isShared = place.foreign.contains { $0.hasPrefix("store/") }
        #expect(place.folder.exists("lock") == isShared, comment)
        #expect((after["store"] == nil) == (!isShared && wasThere), comment)
        // Nothing of the store is left but folders, the links in them, and the lock.
        let rest = after.filter { $0.key.hasPrefix("store/") && !$0.value.isEmpty }.keys
        #expect(Set(rest).subtracting(place.foreign).isSubset(of: ["store/lock"]), comment)
        #expect(place.leftovers.intersection(after.keys) == [], comment)
        let store = try HybridStore(
          path: place.folder.store, options: .testing(), environment: environment)
        #expect(try store.count == 0, comment)
        try store.close()
        deleted += 1
      } catch {
        refused += 1
        #expect(!isStore, "\(comment): \(error)")
        guard case .foreign = error else { throw error }
        #expect(Self.changes(from: before, to: place.content()) == [], comment)
      }
    }
    #expect(refused > 80 && deleted > 80)
  }

  @Test func aFolderWithOtherThingsIsRefusedWithARemedy() throws {
    let folder = TemporaryFolder()
    try folder.write([1], to: "data/2024/thesis/chapter1.tex")
    let error = #expect(throws: StoreError.self) { try HybridStore(path: folder.store) }
    #expect(
      error?.description
        == "\(folder.store): the folder has other things in it and is no store;"
        + " choose another folder")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.store) == ["data"])
  }

  /// Another process makes `writer` before it marks `lock`.
  @Test func aStoreThatIsBeingMadeIsNoOtherFolder() throws {
    let folder = TemporaryFolder()
    try folder.write([], to: "lock")
    try folder.write([], to: "writer")
    let store = try HybridStore(path: folder.store, options: .testing { $0.sharing = .shared })
    try store.put([1], forKey: "a")
    #expect(try store.get("a") != nil)
    let other = TemporaryFolder()
    try other.write([], to: "lock")
    try other.write([7], to: "writer")
    #expect(throws: StoreError.self) { try HybridStore(path: other.store) }
  }

  /// Another process that closes the store removes the log between this one's looking at the folder's names
  /// and at the files.
  @Test func aLogThatLeavesMeanwhileIsNoOtherFile() throws {
    let folder = TemporaryFolder()
    let options = StoreOptions.testing { $0.sharing = .shared }
    try HybridStore(path: folder.store, options: options).close()
    let log = folder.store + "/manifest.sqlite-wal"
    try folder.write([], to: "manifest.sqlite-wal")
    let disk = FaultyDisk { _, call in
      if call.name == "look" { unlink(log) }
      return nil
    }
    let store = try HybridStore(
      path: folder.store, options: options, environment: disk.environment)
    try store.put([1], forKey: "a")
    #expect(try store.get("a") != nil)
  }

  /// The path itself may be a link: the user has chosen it.
  @Test func aLinkToAFolderIsAPath() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/real", withIntermediateDirectories: false)
    #expect(symlink(folder.path + "/real", folder.store) == 0)
    let store = try HybridStore(path: folder.store)
    try store.put([1], forKey: "a")
    #expect(folder.exists("../real/manifest.sqlite"))
  }
}
