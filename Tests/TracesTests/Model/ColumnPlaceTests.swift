import Foundation
import Testing
import Traces

/// A trace whose columns move to files while it is read is the trace in memory.
@Suite struct ColumnPlaceTests {
  private let folder = TemporaryFolder()

  /// Writes requests with every column.
  private func write(_ name: String) throws -> String {
    var text = "key,time_ns,size,operation,ttl,cost,class\n"
    for index in 0..<300_000 {
      text += "\(index % 997),\(index),\(index % 50 + 1),\(index % 7 == 0 ? "set" : "get"),"
      text += "\(index % 3),\(Double(index % 11) / 2),\(index % 4)\n"
    }
    let path = "\(folder.path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func load(_ path: String, place: ColumnPlace?, moves: Bool) throws -> Trace {
    let format = "csv:key=key:time=time_ns:ttl=ttl:cost=cost:class=class"
    return try TraceLoader.load(
      paths: [path], name: nil, format: path.hasSuffix("csv") ? format : nil, columns: .all,
      limit: nil, expansion: ExpansionLimit.usualRatio, place: place
    ) { _ in
      if moves { place?.folder = folder.path }
      return true
    }
  }

  @Test(arguments: ["text.csv", "columns.evtrace"])
  func columnsInFilesAreThoseInMemory(_ name: String) throws {
    var path = try write("text.csv")
    if name != "text.csv" {
      let source = path
      path = "\(folder.path)/\(name)"
      try TraceWriter.write(load(source, place: nil, moves: false), to: path)
    }
    let place = ColumnPlace()
    let moved = try load(path, place: place, moves: true)
    let kept = try load(path, place: ColumnPlace(), moves: false)
    #expect(place.folder != nil)
    #expect(moved.requests == 300_000)
    #expect(moved.ids.elementsEqual(kept.ids))
    #expect(try #require(moved.sizes).elementsEqual(#require(kept.sizes)))
    #expect(try #require(moved.times).elementsEqual(#require(kept.times)))
    #expect(try #require(moved.operations).elementsEqual(#require(kept.operations)))
    #expect(try #require(moved.ttls).elementsEqual(#require(kept.ttls)))
    #expect(try #require(moved.costs).elementsEqual(#require(kept.costs)))
    #expect(try #require(moved.classes).elementsEqual(#require(kept.classes)))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(files).isSubset(of: ["text.csv", "columns.evtrace"]), "\(files)")
  }
}
