import Foundation
import Testing
import Traces

@Suite struct WrittenMarkTests {
  private let folder = TemporaryFolder()

  @Test func aFileNamesTheCommandThatWroteItUntilItIsChanged() throws {
    let path = folder.path + "/a.txt"
    WrittenMark.command.withLock { $0 = "trace sample" }
    defer { WrittenMark.command.withLock { $0 = nil } }
    try WholeFile.write("1\n", to: path)
    // File systems without attributes keep none.
    guard let mark = WrittenMark(of: path) else { return }
    #expect(mark.command == "trace sample" && mark.isIntact)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data("2\n".utf8))
    try file.close()
    #expect(WrittenMark(of: path)?.isIntact == false)
    try FileManager.default.removeItem(atPath: path)
    try Data("1\n".utf8).write(to: URL(filePath: path))
    #expect(WrittenMark(of: path) == nil)
  }

  @Test(arguments: [1, 243, 244, 245, 255])
  func aNeighbourHasANameThatIsNotTooLong(_ length: Int) throws {
    let path = folder.path + "/" + String(repeating: "n", count: length)
    let beside = NeighbouringFile.path(beside: path, suffix: UnfinishedMark.suffix)
    #expect((beside == path + ".unfinished") == (length <= 244))
    #expect(beside == NeighbouringFile.path(beside: path, suffix: UnfinishedMark.suffix))
    #expect(beside != NeighbouringFile.path(beside: path + "n", suffix: UnfinishedMark.suffix))
    #expect(FileManager.default.createFile(atPath: beside, contents: nil))
    try WholeFile.write("1\n", to: path)
    #expect(folder.files.count == 2)
  }
}
