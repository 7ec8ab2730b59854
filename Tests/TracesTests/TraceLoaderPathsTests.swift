import Testing
import Traces

@Suite struct TraceLoaderPathsTests {
  private let folder = TemporaryFolder()

  @Test func keysAreOneSpace() throws {
    let paths = [
      folder.file("a.txt", Array("5\n6\n5\n".utf8)), folder.file("b.lis", Array("6 3 0 0\n".utf8)),
    ]
    let trace = try TraceLoader.load(paths: paths)
    #expect(trace.name == "a.txt+b.lis" && trace.format == "plain+lis")
    #expect(ids(trace) == [0, 1, 0, 1, 2, 3] && trace.distinct == 4)
    let single = try load("5\n6\n7\n8\n")
    #expect(Array(trace.keyHashes()) == Array(single.keyHashes()))
    let numbers = try TraceLoader.load(paths: [paths[1], paths[1]])
    #expect(ids(numbers) == [0, 1, 2, 0, 1, 2] && numbers.integerKey(of: 2) == 8)
    #expect(numbers.format == "lis")
  }

  @Test func columnsStayWhenAllFilesHaveThem() throws {
    let first = folder.file("a.csv", Array("key,size,class,op\nu,1,x,get\nvv,2,y,set\n".utf8))
    let second = folder.file("b.csv", Array("key,size,class\nvv,3,y\nwww,4,z\n".utf8))
    let trace = try TraceLoader.load(
      paths: [first, second], format: "csv:class=class:size=size:key=key", columns: .all)
    #expect(trace.columns == [.sizes, .classes, .keyLengths])
    #expect(ids(trace) == [0, 1, 1, 2])
    #expect(trace.sizes.map(Array.init) == [1, 2, 3, 4])
    #expect(trace.classes.map(Array.init) == [0, 1, 1, 2] && trace.classNames == ["x", "y", "z"])
    #expect(trace.keyLengths.map(Array.init) == [1, 2, 3])
    #expect(
      ids(try TraceLoader.load(paths: [first, second, first])) == [0, 1, 1, 2, 0, 1])
  }

  @Test func aLimitCountsAllFilesTogether() throws {
    let path = folder.file("a.txt", Array("1\n2\n".utf8))
    for limit in 1...5 {
      let trace = try TraceLoader.load(paths: [path, path, path], limit: limit)
      #expect(trace.requests == limit)
    }
    let one = try TraceLoader.load(paths: [path])
    #expect(one.name == "a.txt" && one.requests == 2)
  }

  @Test func failuresNameTheFile() {
    let path = folder.file("a.txt", Array("1\n2\n".utf8))
    let none = failure { () throws(TraceError) in _ = try TraceLoader.load(paths: []) }
    #expect(none?.description == "there is no file to read; name at least one")
    let missing = failure { () throws(TraceError) in
      _ = try TraceLoader.load(paths: [path, folder.path + "/b.txt"])
    }
    #expect(missing == .missing(file: folder.path + "/b.txt"))
    let empty = folder.file("c.txt")
    let hollow = failure { () throws(TraceError) in
      _ = try TraceLoader.load(paths: [path, empty])
    }
    #expect(hollow == .noRequests(file: empty))
  }

  @Test func aTraceIsNamedByItsFiles() {
    for name in ["a.lis", "b.lis", "a.lis+c.lis", "d++.lis"] { _ = folder.file(name) }
    func files(_ names: String...) -> [String] {
      let name = names.map { folder.path + "/" + $0 }.joined(separator: "+")
      return TraceLoader.files(ofTrace: name).map { $0.replacing(folder.path + "/", with: "") }
    }
    #expect(files("a.lis") == ["a.lis"])
    #expect(files("a.lis", "b.lis", "a.lis") == ["a.lis", "b.lis", "a.lis"])
    #expect(files("a.lis+c.lis") == ["a.lis+c.lis"], "a file of the whole name")
    #expect(files("a.lis+c.lis", "b.lis") == ["a.lis+c.lis", "b.lis"], "the longest beginning")
    #expect(files("d++.lis", "b.lis") == ["d++.lis", "b.lis"])
    #expect(files("a.lis", "none", "b.lis") == ["a.lis", "none", "b.lis"])
    #expect(files("none") == ["none"] && files("a.lis+") == ["a.lis+"])
    #expect(TraceLoader.files(ofTrace: "-") == ["-"])
  }

  @Test func patternsStandBesideFiles() {
    for name in ["a-1.lis", "a-2.lis", "b.lis"] { _ = folder.file(name) }
    func files(_ names: String...) -> [String] {
      let name = names.map { folder.path + "/" + $0 }.joined(separator: "+")
      return TraceLoader.files(ofTrace: name).map { $0.replacing(folder.path + "/", with: "") }
    }
    #expect(files("a-*.lis") == ["a-1.lis", "a-2.lis"])
    #expect(files("a-*.lis", "b.lis") == ["a-1.lis", "a-2.lis", "b.lis"])
    #expect(files("b.lis", "a-*.lis") == ["b.lis", "a-1.lis", "a-2.lis"])
    #expect(files("c-*.lis", "b.lis") == ["c-*.lis", "b.lis"], "a pattern that none fits")
    let trace = "\(folder.path)/a-*.lis+\(folder.path)/b.lis"
    #expect(TraceLoader.names(ofTraces: [trace]) == ["a-*.lis+b.lis"])
  }

  @Test func foldersTellApartTracesOfOneName() {
    #expect(
      TraceLoader.names(ofTraces: ["mon/access.log", "tue/access.log", "tue/other.log"])
        == ["mon/access.log", "tue/access.log", "other.log"])
    #expect(
      TraceLoader.names(ofTraces: ["a/day/x", "b/day/x", "b/night/x"])
        == ["a/day/x", "b/day/x", "night/x"], "as few folders as do")
    #expect(
      TraceLoader.names(ofTraces: ["/x", "/a/x", "a/x+b/x", "c/x+b/x"])
        == ["x", "a/x", "a/x+b/x", "c/x+b/x"])
    #expect(TraceLoader.names(ofTraces: ["a/x", "./a/x", "a/b/../x"]) == ["x", "x", "x"])
    #expect(TraceLoader.names(ofTraces: ["-", "/"]) == ["-", ""])
    #expect(TraceLoader.names(ofTraces: []).isEmpty)
  }

  @Test func aTraceMayBeGivenAName() throws {
    let path = folder.file("a.txt", Array("1\n2\n".utf8))
    for paths in [[path], [path, path]] {
      #expect(try TraceLoader.load(paths: paths, name: "mon/a.txt").name == "mon/a.txt")
    }
  }

  @Test func groupsGoOnInTheNextFile() throws {
    let paths = [folder.path + "/a.evtrace", folder.path + "/b.evtrace"]
    for path in paths {
      try TraceWriter.write(Trace.of([5, 6, 5], groupStarts: [0, 2]), to: path)
    }
    let trace = try TraceLoader.load(paths: paths, columns: .all)
    #expect(trace.groupStarts.map(Array.init) == [0, 2, 3, 5] && ids(trace) == [0, 1, 0, 0, 1, 0])
  }
}
