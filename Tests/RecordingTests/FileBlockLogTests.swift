import Foundation
import Recording
import Testing
import Traces

@Suite struct FileBlockLogTests {
  private func ranges(_ text: String) throws -> [String] {
    var ranges: [String] = []
    try withLog(text) { log in
      try FileBlockLog.forEachAccess(in: log) { access in
        ranges.append("\(access.operation) \(access.path) \(access.offset)+\(access.length)")
      }
    }
    return ranges
  }

  @Test func callsGoOnWhereTheLastOneEnded() throws {
    let log = #"""
      8 1.000001 openat(AT_FDCWD</x>, "a, b", O_RDONLY) = 3</x/a, b>
      8 1.000002 read(3</x/a, b>, ""..., 100) = 100
      8 1.000003 read(3</x/a, b>, ""..., 100) = 60
      8 1.000004 read(3</x/a, b>, "", 100) = 0
      8 1.000005 pread64(3</x/a, b>, ""..., 10, 4096) = 10
      8 1.000006 lseek(3</x/a, b>, -20, SEEK_END) = 140
      8 1.000007 readv(3</x/a, b>, [{iov_base=""..., iov_len=9}, {iov_base="", iov_len=9}], 2) = 9
      8 1.000008 preadv2(3</x/a, b>, [{iov_base=""..., iov_len=9}], 1, -1, RWF_NOWAIT) = 9
      8 1.000009 preadv(3</x/a, b>, [{iov_base=""..., iov_len=9}], 1, 7) = 9
      8 1.000010 write(1<pipe:[7]>, ""..., 5) = 5
      8 1.000011 read(0</dev/null>, ""..., 5) = 5
      """#
    #expect(
      try ranges(log) == [
        "read /x/a, b 0+100", "read /x/a, b 100+60", "read /x/a, b 4096+10", "read /x/a, b 140+9",
        "read /x/a, b 149+9", "read /x/a, b 7+9",
      ])
  }

  @Test func copiesOfADescriptorShareTheirPlace() throws {
    let log = #"""
      8 1.000001 openat(AT_FDCWD</x>, "a", O_RDWR) = 3</x/a>
      8 1.000002 dup2(3</x/a>, 0</dev/null>) = 0</x/a>
      8 1.000003 fcntl(3</x/a>, F_DUPFD, 10) = 10</x/a>
      8 1.000004 fcntl(3</x/a>, F_SETFD, FD_CLOEXEC) = 0
      8 1.000005 read(0</x/a>, ""..., 5) = 5
      8 1.000006 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7) = 9
      9 1.000007 read(10</x/a>, ""..., 5) = 5
      9 1.000008 openat(AT_FDCWD</x>, "b", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</x/b>
      9 1.000009 write(3</x/b>, ""..., 7) = 7
      8 1.000010 write(3</x/a>, ""..., 5) = 5
      9 1.000011 clone3({flags=CLONE_VM|CLONE_FILES|CLONE_THREAD, exit_signal=0}, 88) = 11
      11 1.000012 write(3</x/b>, ""..., 7) = 7
      9 1.000013 write(3</x/b>, ""..., 7) = 7
      12 1.000014 read(0</x/c>, ""..., 4) = 4
      """#
    #expect(
      try ranges(log) == [
        "read /x/a 0+5", "read /x/a 5+5", "write /x/b 0+7", "write /x/a 10+5", "write /x/b 7+7",
        "write /x/b 14+7", "read /x/c 0+4",
      ])
  }

  @Test func appendingBeginsAtTheEnd() throws {
    let log = #"""
      8 1.000001 creat("a", 0666) = 3</x/a>
      8 1.000002 write(3</x/a>, ""..., 12) = 12
      8 1.000003 openat(AT_FDCWD</x>, "a", O_WRONLY|O_CREAT|O_APPEND, 0666) = 4</x/a>
      8 1.000004 write(4</x/a>, ""..., 3) = 3
      8 1.000005 pwrite64(4</x/a>, ""..., 2, 1) = 2
      """#
    #expect(try ranges(log) == ["write /x/a 0+12", "write /x/a 12+3", "write /x/a 1+2"])
  }

  @Test func filesAreCopiedWithoutTheProgram() throws {
    let log = #"""
      8 1.000001 openat(AT_FDCWD</x>, "a", O_RDONLY) = 3</x/a>
      8 1.000002 openat(AT_FDCWD</x>, "b", O_WRONLY) = 4</x/b>
      8 1.000003 copy_file_range(3</x/a>, NULL, 4</x/b>, NULL, 9223372035781033984, 0) = 24
      8 1.000004 copy_file_range(3</x/a>, [100] => [105], 4</x/b>, NULL, 5, 0) = 5
      8 1.000005 sendfile(4</x/b>, 3</x/a>, NULL, 6) = 6
      8 1.000006 sendfile(1<pipe:[9]>, 3</x/a>, [50] => [56], 6) = 6
      """#
    #expect(
      try ranges(log) == [
        "read /x/a 0+24", "write /x/b 0+24", "read /x/a 100+5", "write /x/b 24+5",
        "read /x/a 24+6", "write /x/b 29+6", "read /x/a 50+6",
      ])
  }

  @Test func mappingsEndWithTheFile() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let file = "\(folder)/evict blocks \(UUID().uuidString)"
    try Data(repeating: 7, count: 5_000).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let log = """
      8 1.000001 mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, 3<\(file)>, 0) = 0x7f2118596000
      8 1.000002 mmap(0x7f2118596000, 4096, PROT_READ, MAP_PRIVATE, 3<\(file)>, 0x1000) = 0x7f21
      8 1.000003 mmap(NULL, 8192, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f21185ad000
      """
    #expect(try ranges(log) == ["read \(file) 0+5000", "read \(file) 4096+904"])
    let trace = try withLog(log) {
      try FileBlockLog.trace(of: $0, name: "t", blockBytes: 4_096)
    }
    #expect(Array(trace.ids) == [0, 1, 1])
    #expect(trace.sizes.map(Array.init) == [4_096, 4_096, 4_096])
    #expect(trace.times.map(Array.init) == [0, 0, 1_000])
    #expect(trace.operations.map(Array.init) == [.read, .read, .read])
  }

  @Test func damagedLinesAreNoCalls() throws {
    let log = #"""
      8 1.0 read(3</x/a>
      read(3</x/a>, ""..., 5) = 5
      8 1.000001 read(3, ""..., 5) = 5
      8 1.000001 pread64(3</x/a>) = 5
      8 1.000001 mmap(NULL) = 0x7
      8 1.000001 copy_file_range(3</x/a>) = 5
      8 1.000001 lseek(3</x/a>) = ?
      8 1.000001 +++ exited with 0 +++
      """#
    #expect(try ranges(log) == ["read /x/a 0+5"])
    #expect(throws: TraceError.noRequests(file: "t")) {
      try withLog("") { try FileBlockLog.trace(of: $0, name: "t", blockBytes: 1) }
    }
  }

  @Test func escapesAreThoseOfC() {
    #expect(FilePath.unescaped(#"/a\40b\74\76\303\244\n\"\\c\0"#) == "/a b<>ä\n\"\\c\0")
    #expect(FilePath.unescaped(#"/a\"#) == #"/a\"#)
  }
}
