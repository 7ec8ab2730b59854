import Testing
import Traces

/// Texts that no format knows are no lists of keys, and lists of keys are.
@Suite struct TextStructureTests {
  /// A text of a layout that no format knows, and a part of what the refusal calls it.
  struct Structured: Sendable, CustomTestStringConvertible {
    var seen: String
    var text: String

    var testDescription: String { "\(seen): \(text.prefix(40))" }

    init(_ seen: String, _ lines: String...) {
      self.seen = seen
      text = lines.joined(separator: "\n") + "\n"
    }

    /// Lines of one pattern, in which `#` is the line's number.
    init(_ seen: String, count: Int, _ patterns: String...) {
      self.seen = seen
      text = (1...count).map { number in
        patterns[number % patterns.count].replacing("#", with: "\(number)") + "\n"
      }.joined()
    }
  }

  static let structured =
    columns + json + pairs + dates + services + stacks + tables + xml + mixtures

  static let columns = [
    Structured("3 columns with blanks", "a 0 68", "b 1 7454", "c 0 40773"),
    Structured("2 columns with blanks", count: 20, "user:# 17"),
    Structured("2 columns with tabs", count: 20, "user:#\t17"),
    Structured("3 columns with commas", count: 20, "#,x,1001"),
    Structured("3 columns with semicolons", count: 20, "#;x;1001"),
    Structured("3 columns with bars", count: 20, "#|a|1001"),
    Structured(
      "3 columns with commas", "a,b,5", "c,d,6", "e,f,7", "g,h,8", "i,j,9", "k,l,1", "m,n,2",
      "o,p,3", "q,r,4", "s,t"),
    Structured("5 columns with blanks", count: 30, "disk# node 7 up 0.5"),
    Structured("4 columns with blanks", count: 30, "cache# lookup 00ff# miss"),
    Structured("6 columns with blanks", count: 30, "a b c d e f"),
    Structured("2 columns with tabs", count: 30, "a b c\td e f"),
    Structured("2 columns with commas", "/a,200"),
    Structured("several words", "drwxr-xr-x 2 root root 4096 a b", "total 17", "-rw 1 c"),
    Structured("8 columns with blanks", count: 12, "pid # tid 8 cpu 2 irq none"),
  ]

  static let json = [
    Structured("JSON", #"{"colour":"red","height":1.5}"#),
    Structured("JSON", count: 9, #"{"colour":"blue#"}"#),
    Structured("JSON", "{", #"  "a": 1,"#, #"  "b": [2, 3]"#, "}"),
    Structured("JSON", "[", #"{"a":1},"#, #"{"a":2}"#, "]"),
    Structured("JSON", count: 9, "[#, 2, 3]"),
    Structured("JSON", "[", "1,", "2,", "3", "]"),
    Structured("JSON", #"[{"ph":"X","ts":1},"#, #"{"ph":"X","ts":2}]"#),
    Structured("a quote", count: 9, "\"user:#\""),
    Structured("a quote", count: 9, "'user:#'"),
    Structured("JSON", #"{"shape": {"corners": [1, 2]}, "colour": null}"#),
  ]

  static let pairs = [
    Structured("name=value", count: 9, "level=info msg=\"GET /a/#\" status=200"),
    Structured("name=value", count: 9, "timeout=#"),
    Structured("name=value", count: 9, "key=a#&size=5"),
    Structured("name=value", count: 9, "op=get,key=a#,size=5"),
    Structured("a bracket", count: 9, "{key: a#}"),
    Structured("2 columns with blanks", count: 9, "key: a#"),
  ]

  static let dates = [
    Structured("a date", count: 9, "2024-01-31T23:59:0#Z"),
    Structured("columns with blanks", count: 9, "2024-01-31 23:59:0# GET /a"),
    Structured("a date", "2024-01-31 23:59:01 one", "2024-01-31 23:59:02 one two"),
    Structured("a date", count: 9, "31/Jan/2024"),
    Structured("a date", count: 9, "23:59:0#.25"),
    Structured("a date", count: 9, "1.12.2024"),
    Structured("a date", count: 9, "20240131T23590#Z"),
  ]

  static let services = [
    Structured("several words", "Sep 25 06:05:27 host sshd[1]: a b", "Sep 25 06:05:28 host x"),
    Structured("a bracket", "<34>Oct 11 22:14:15 su: x", "<34>Oct 11 22:14:15 su: x y z"),
    Structured("a bracket", "[error] 17#0: *1 open() failed", "[notice] signal"),
    Structured(
      "several words", "openat(AT_FDCWD, \"/a\", O_RDONLY) = 3", "read(3, \"\"..., 4096) = 0",
      "close(3) = 0"),
    Structured("several words", "LOG:  duration: 5 ms", "STATEMENT:  select 1", "LOG:  x"),
    Structured("columns with blanks", count: 9, "1990 INFO main Cache - hit #"),
    Structured("columns with blanks", count: 9, "job# 2020-01-01T00:00:0#Z done 0.1"),
    Structured("several words", "commit 00ff", "Author: A B <a@b.c>", "Date: x", "    A message"),
    Structured(
      "several words", "diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b"),
    Structured("several words", "00000000  89 45 56 54", "00000004  0d 0a", "*", "00000008"),
    Structured("several words", "10.0.0.1 GET /a 200", "10.0.0.2 GET /b?x=1 HTTP/1.1 200 \"-\""),
  ]

  static let stacks = [
    Structured(
      "several words", "Exception in thread \"main\" java.lang.Error: x",
      "\tat a.B.c(B.java:5)", "\tat a.B.d(B.java:6)"),
    Structured(
      "several words", "Traceback (most recent call last):", "  File \"a.py\", line 5, in f",
      "    g()", "KeyError: 'x'"),
    Structured(
      "several words", "goroutine 1 [running]:", "main.main()", "\t/tmp/x.go:5 +0x1d",
      "exit status 2"),
    Structured("a file of another kind", "-----BEGIN CERTIFICATE-----", "MIIDdzCCAl+g", "AwIBAgIE"),
  ]

  static let tables = [
    Structured("columns", "| key | size |", "|-----|------|", "| a   | 5    |", "| b | 6 |"),
    Structured("ruled lines", "+---+---+", "|a|5|", "+---+---+", "|b|6|", "+---+---+"),
    Structured("ruled lines", "│a│5│", "│b│6│"),
    Structured("2 columns with blanks", "name  count", "a        5", "b        6"),
  ]

  static let xml = [
    Structured("XML", "<?xml version=\"1.0\"?>", "<log>", "<request key=\"a\"/>", "</log>"),
    Structured("XML", "<!DOCTYPE html>", "<html>", "</html>"),
    Structured("XML", count: 9, "<key>#</key>"),
  ]

  static let mixtures = [
    Structured("several words", count: 20, "user:#", "user:#", "user:#", "a request for user:#"),
    Structured("several words", count: 20, "user:#", "# user"),
    Structured("a quote", count: 20, "user:#", "\"user:#\""),
    Structured("a date", count: 20, "user:#", "2024-01-31"),
    Structured("several words", "A text in prose, as one writes it.", "It has sentences.", "Two."),
  ]

  @Test func thereAreSixtyOfThem() { #expect(Self.structured.count >= 60) }

  @Test(arguments: structured)
  func structuredTextIsRefusedWithWhatWasSeen(_ text: Structured) throws {
    for name in ["keys.txt", "x", "access.log", "a.jsonl", "a.dat", "a.lis", "scarab.bin"] {
      for ends in ["\n", "\r\n", "\n\n"] {
        let content = text.text.replacing("\n", with: ends)
        for mark in ["", "\u{FEFF}"] {
          let message = message(mark + content, name: name)
          #expect(message.contains(text.seen), "\(message)")
          #expect(message.contains("--trace-format plain if a whole line is the key"))
        }
      }
    }
    #expect(try load(text.text, format: "plain").requests > 0, "plain reads it when named")
  }

  @Test func theOptionThatReadsColumnsIsNamed() throws {
    let text = "a 0 68\nb 1 7\nc 0 68\n"
    #expect(
      message(text, name: "a.log")
        == "a.log: line 1: 3 columns with blanks between them, and no format that is known; say what "
        + "the key is, for instance --trace-format csv:key=1:delimiter=space, or --trace-format plain "
        + "if a whole line is the key")
    #expect(ids(try load(text, format: "csv:key=2:delimiter=space")) == [0, 1, 0])
    for (delimiter, name) in [(",", "comma"), (";", "semicolon"), ("|", "pipe"), ("\t", "tab")] {
      #expect(
        message(text.replacing(" ", with: delimiter)).contains("csv:key=1:delimiter=\(name),"))
    }
  }

  /// Keys, one on each line.
  static let lists: [(name: String, text: String)] = {
    func lines(_ pattern: String, _ numbers: ClosedRange<Int> = 1...30) -> String {
      numbers.map { pattern.replacing("#", with: "\($0 * $0 % 17)") + "\n" }.joined()
    }
    var random = SeededNumbers(5)
    let uuids = (0..<20).map { _ in
      let digits = String(random.next(), radix: 16) + String(random.next(), radix: 16)
      let text = Array((digits + String(repeating: "0", count: 32)).prefix(32))
      return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }
        .joined(separator: "-") + "\n"
    }
    return [
      ("URLs", lines("https://example.org/a/#?page=#&size=2")),
      ("paths", lines("/var/cache/#/index.html")),
      ("paths with commas", "/a,b/1\n/a/2\n/a,b,c/3\n/d/4\n/e,f/5\n"),
      ("queries with commas", "/x?ids=1,2,500\n/x?ids=1\n/x?ids=1,3\n/y\n"),
      ("paths with semicolons", "/a;jsessionid=5\n/b\n/c;v=1;w=2\n/d\n"),
      ("UUIDs", uuids.joined()),
      ("numbers", lines("#")),
      ("numbers below zero", lines("-#")),
      ("fractions", lines("#.5")),
      ("hexadecimal numbers", lines("0x1f#")),
      ("keys of Redis", lines("user:#:profile")),
      ("Latin words", "cache\nÉvènement\nGröße\nnaïve\n"),
      ("Greek words", "μνήμη\nκρυφή\nμνήμη\n"),
      ("Cyrillic words", "кэш\nпамять\nкэш\n"),
      ("Chinese words", "缓存\n内存\n缓存\n"),
      ("Arabic words", "ذاكرة\nمخبأ\n"),
      ("emoji", "🦊\n🐢\n🦊\n"),
      ("file names", "a.csv\nb.json\nc.tar.gz\n"),
      ("addresses of networks", lines("10.0.0.#") + "fe80::1\n00:1b:44:11:3a:b7\n"),
      ("Base64", "dXNlcjox\ndXNlcjoxNw==\nYQ==\n"),
      ("paths that begin with a date", lines("2024/01/31/img#.jpg")),
      ("a few that are not", lines("key#", 1...40) + "a key with blanks\n{x}\n"),
      ("comments and phases", "# which keys\nuser:1\n*\n\nuser:2\n"),
      ("one long key", String(repeating: "x", count: 100_000) + "\n"),
    ]
  }()

  @Test(arguments: lists.indices)
  func aListOfKeysIsPlain(_ index: Int) throws {
    let (name, text) = Self.lists[index]
    for content in [text, text.replacing("\n", with: "\r\n"), "\u{FEFF}" + text] {
      for file in ["keys.txt", "keys", "a.log", "a.json", "a.lis", "oraclegeneral.txt"] {
        let trace = try load(content, name: file)
        #expect(trace.format == "plain" && trace.formatReasons == [.content], "\(name)")
        #expect(ids(trace) == ids(try load(text, format: "plain")), "\(name)")
      }
    }
  }

  @Test func nineLinesInTenAreEnough() throws {
    let keys = (1...18).map { "key\($0)\n" }.joined()
    #expect(try load(keys + "a b\nc d\n").format == "plain", "18 of 20")
    #expect(message(keys + "a b\nc d e\nf g\n").contains("line 19: several words"), "18 of 21")
  }
}

extension TextStructureTests.Structured {
  /// The same text, of which the refusal says something else.
  fileprivate func seeing(_ seen: String) -> Self {
    var other = self
    other.seen = seen
    return other
  }
}
