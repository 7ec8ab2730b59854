import Foundation
import Testing

/// Outputs never replace inputs, nor traces and documents that something else would replace.
struct OutputFileTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.write("time,key,size\n1,a,10\n2,b,20\n3,a,10\n4,c,5\n", to: "web.csv")
  }

  /// Every command that reads a file and writes one, with the input and the output as holes.
  static let commands = [
    "sweep IN --policy lru --capacity 2 --output OUT",
    "sweep IN --policy lru --capacity 2 --format json --output OUT",
    "speed IN --policy lru --capacity 2 --rounds 1 --output OUT",
    "replay IN --policy lru --capacity 2 --output OUT",
    "curve IN --output OUT", "bounds IN --capacity 2 --output OUT",
    "disk IN --capacity 20 --output OUT", "trace info IN --output OUT",
    "trace convert IN --to plain --output OUT", "trace sample IN --first 2 --output OUT",
    "trace filter IN --policy lru --capacity 2 --output OUT",
    "policies vectors IN --policy lru --capacity 2 --output OUT",
  ]
  static let documentCommands = [
    "report IN --output OUT", "report IN --format json --output OUT",
    "report other.json IN --output OUT", "compare IN other.json --output OUT",
    "compare other.json IN --output OUT", "check IN --baseline other.json --output OUT",
    "check other.json --baseline IN --output OUT", "check IN --baseline OUT --update",
    "sweep --merge other.json IN --output OUT",
  ]
  /// Names of one file.
  static let names = ["same", "./same", "link", "hard", "linked/same", "$PWD/same"]

  @Test(arguments: commands, names)
  func noInputIsReplaced(_ command: String, _ name: String) async throws {
    try await refuse(command, input: "web.csv", name)
  }

  @Test(arguments: documentCommands, names)
  func noDocumentThatIsReadIsReplaced(_ command: String, _ name: String) async throws {
    _ = try await shell.run(
      "evict sweep web.csv --policy lru --capacity 2 --format json --output now.json"
        + " && cp now.json other.json")
    try await refuse(command, input: "now.json", name)
  }

  private func refuse(_ command: String, input: String, _ name: String) async throws {
    let names = "ln -s \(input) link; ln \(input) hard; ln -s . linked"
    let line = command.replacing("IN", with: input)
      .replacing("OUT", with: name.replacing("same", with: input))
    let before = try shell.read(input)
    let outcome = try await shell.run("\(names); evict \(line)")
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(
      outcome.errors.contains("the output would replace the input")
        || outcome.errors.contains("no trace is written as '.csv'"))
    #expect(try shell.read(input) == before)
  }

  @Test func aGlobBehindOutputReplacesNothing() async throws {
    _ = try await shell.run("for i in 1 2 3; do cp web.csv $i.csv; done; rm web.csv")
    let outcome = try await shell.run("evict sweep --policy lru --capacity 2 --output *.csv")
    #expect(
      outcome
        == Outcome(
          output: "",
          errors: "evict: 1.csv holds a trace, which a report would replace; give --output another "
            + "name, or remove the file first\n", code: 64))
  }

  @Test(arguments: [
    ("a.json", "{"), ("a.csv", "kind,"), ("a.html", "<!DOCTYPE html>"), ("a.svg", "<svg "),
    ("a.pdf", "%PDF-"), ("a.md", "##"), ("a.txt", "web.csv (csv"), ("a.json.old", "web.csv (csv"),
  ])
  func theFormIsThatOfTheFilesName(_ file: String, _ start: String) async throws {
    let sweep = try await shell.run(
      "evict sweep web.csv --policy lru,fifo --capacity 1,2 --output \(file)")
    #expect(sweep.code == 0 && sweep.output == "")
    let written = try shell.read(file)
    #expect(written.hasPrefix(start), "\(written.prefix(50))")
    let table = try await shell.run(
      "evict sweep web.csv --policy lru --capacity 2 --format table --output table.json")
    #expect(table.code == 0)
    #expect(try shell.read("table.json").hasPrefix("web.csv (csv"))
  }

  @Test(arguments: ["unfinished", "journal"])
  func noInputIsWhereTheToolWritesMeanwhile(_ suffix: String) async throws {
    let before = try shell.read("web.csv")
    _ = try await shell.run("mv web.csv w.csv.\(suffix)")
    let outcome = try await shell.run(
      "evict sweep w.csv.\(suffix) --trace-format csv --policy lru --capacity 2 --output w.csv")
    #expect(outcome.code == 64 && outcome.errors.contains("would replace the input"))
    #expect(try shell.read("w.csv.\(suffix)") == before)
  }

  @Test func theListOfASuiteIsAnInput() async throws {
    let line = """
      {"schema": "evictionlab.suite/1", "capacities": ["50%"], "traces": [\
      {"name": "web.csv", "group": "block", "sha256": "SUM"}]}
      """
    _ = try await shell.run(
      "sum=$(sha256sum web.csv | cut -c1-64); echo '\(line)' | sed s/SUM/$sum/ > my.json")
    let list = try shell.read("my.json")
    for more in ["", " --format json", " --resume"] {
      let outcome = try await shell.run(
        "evict suite --list my.json --folder . --policy lru --output my.json" + more)
      #expect(outcome.code == 64, "\(outcome)")
      #expect(outcome.errors.contains("would replace the input my.json"))
      #expect(try shell.read("my.json") == list)
    }
    let sweep = try await shell.run("evict sweep web.csv --policy lru --output my.json")
    #expect(sweep.code == 64 && sweep.errors.contains("my.json holds a JSON document"))
    #expect(try shell.read("my.json") == list)
  }

  /// Formats that a name or an option tells, and nothing in the content.
  @Test(
    arguments: [
      ("a.tr", "1 7 100\n2 8 50\n3 7 100\n", ""),
      ("a.tencentBlock.csv", "1538323200,4096,8,1,1283\n1538323201,4104,8,0,1283\n", ""),
      ("a.csv", "1,7,100\n2,8,50\n3,7,100\n", "--trace-format csv:key=2 "),
      ("a.csv", "# rows\n1;7;100\n2;8;50\n3;7;100\n", "--trace-format csv:key=2 "),
    ])
  func aTraceThatItsNameTellsIsNotReplaced(
    _ name: String, _ text: String, _ options: String
  ) async throws {
    try shell.write(text, to: name)
    _ = try await shell.run("cp \(name) b\(name); cp \(name) c\(name)")
    let outcome = try await shell.run(
      "evict sweep \(options)--policy lru --capacity 1 --output *\(name)")
    #expect(outcome.code == 64 && outcome.errors.contains("\(name) holds a trace, which a report"))
    #expect(try shell.read(name) == text)
  }

  @Test func standardInputIsAnInput() async throws {
    let before = try shell.read("web.csv")
    let outcome = try await shell.run(
      "evict sweep - --policy lru --capacity 2 --output web.csv < web.csv")
    #expect(outcome.code == 64 && outcome.errors.contains("would replace the input -"))
    #expect(try shell.read("web.csv") == before)
  }

  @Test(
    arguments: ["mine", "mine\n", "{\"schema\": \"mine\"}\n", "{", "{\"schema\": \"evic", ""],
    ["", " --resume"])
  func aFileInTheJournalsPlaceIsLeftAsItIs(_ text: String, _ option: String) async throws {
    try shell.write(text, to: "out.json.journal")
    let outcome = try await shell.run(
      "evict sweep web.csv --policy lru --capacity 2 --format json --output out.json" + option)
    #expect(outcome.code == (text.isEmpty ? 0 : 64))
    if !text.isEmpty { #expect(try shell.read("out.json.journal") == text) }
  }

  @Test func aPipeInTheJournalsPlaceIsRefused() async throws {
    let outcome = try await shell.run(
      "mkfifo out.json.journal; timeout -s KILL 60 evict sweep web.csv --policy lru --capacity 2 "
        + "--output out.json")
    #expect(outcome.code == 64 && outcome.errors.contains("out.json.journal is no journal"))
  }

  @Test func aDocumentIsReplacedByItsLikeOnly() async throws {
    let sweep = "evict sweep web.csv --policy lru --capacity 2"
    #expect(try await shell.run("\(sweep) --format json --output now.json").code == 0)
    #expect(try await shell.run("\(sweep) --format json --output now.json").code == 0)
    for line in [
      "\(sweep) --format table --output now.json",
      "evict trace convert web.csv --to plain --output now.json",
      "evict policies vectors web.csv --policy lru --capacity 2 --output now.json",
    ] {
      let outcome = try await shell.run(line)
      #expect(outcome.code == 64 && outcome.errors.contains("now.json holds a JSON document"))
    }
  }

  @Test(arguments: ["table", "markdown", "csv", "junit", "html"])
  func aReportIsReplaced(_ form: String) async throws {
    let sweep = "evict sweep web.csv --policy lru --capacity 2"
    for _ in 0..<2 {
      let outcome = try await shell.run("\(sweep) --format \(form) --output r.\(form)")
      #expect(outcome == Outcome(output: ""))
    }
  }

  @Test(arguments: [
    ("svg", "svg", "latex"), ("svg-dark", "svg", "table"), ("latex-grid", "latex", "svg"),
    ("csv", "csv", "markdown"), ("html", "html", "junit"), ("markdown", "markdown", "html"),
  ])
  func aReportIsNotReplacedByAnotherForm(_ first: String, _ held: String, _ next: String)
    async throws
  {
    let sweep = "evict sweep web.csv --policy lru,fifo --capacity 1,2"
    let made = try await shell.run("\(sweep) --format \(first) --output main")
    #expect(made == Outcome(output: ""))
    let before = try shell.read("main")
    #expect(
      try await shell.run("\(sweep) --format \(next) --output main")
        == Outcome(
          output: "",
          errors: "evict: main holds a report as \(held), which \(next) would replace; "
            + "give --output another name, or remove the file first\n", code: 64))
    #expect(try shell.read("main") == before)
    let variant = first == "svg" ? "svg-dark" : first == "csv" ? "csv-ranking" : first
    #expect(try await shell.run("\(sweep) --format \(variant) --output main").code == 0)
  }
}
