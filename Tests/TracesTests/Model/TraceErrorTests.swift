import Foundation
import Testing
import Traces

@Suite struct TraceErrorTests {
  @Test func everyErrorIsOneLine() {
    let errors: [(TraceError, TraceError.Kind, String)] = [
      (.missing(file: "a"), .missing, "a: no such file; check the path"),
      (.folder(file: "a"), .io, "a: is a folder; name a file in it"),
      (
        .io(file: "a", action: "read", byte: 7, code: EIO), .io,
        "a: cannot read at byte 7: input/output error; check the disk and the path"
      ),
      (
        .io(file: "a", action: "write", byte: 7, code: ENOSPC), .io,
        "a: cannot write at byte 7: no space left on device; free some space"
      ),
      (
        .malformed(file: "a", place: .line(3), problem: "it is wrong", remedy: "correct it"),
        .data, "a: line 3: it is wrong; correct it"
      ),
      (
        .truncated(file: "a", place: .byte(24), problem: "it is short"), .data,
        "a: byte 24: it is short; the file is cut off, fetch or record it again"
      ),
      (
        .noRequests(file: "a"), .data,
        "a: 0 requests, at most a header or comments; fetch or record it again"
      ),
      (
        .lacking(trace: "a", column: "times", remedy: "do without"), .data,
        "a: has no times; do without"
      ),
      (
        .unrecognised(file: "a", problem: "it is unknown", remedy: "say what it is"), .data,
        "a: it is unknown; say what it is"
      ),
      (
        .tooManyBytes(file: "a"), .data,
        "a: 2^63 bytes or more are requested in all; are the sizes really bytes?"
      ),
      (
        .tooManyKeys(file: "a"), .data,
        "a: more than 4294967295 distinct keys; sample the trace or limit its requests"
      ),
      (
        .usage(problem: "it is not there", remedy: "do without"), .usage,
        "it is not there; do without"
      ),
      (.cancelled(file: "a"), .cancelled, "a: stopped; nothing was kept"),
    ]
    for (error, kind, text) in errors {
      #expect(error.description == text)
      #expect(error.kind == kind)
    }
  }
}
