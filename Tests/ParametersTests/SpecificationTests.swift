import Parameters
import Testing

@Suite("Specifications")
struct SpecificationTests {
  static let parameters = [
    Parameter(
      "share", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(8, 10)),
      help: ""),
    Parameter("segments", .integer(in: 1...9), default: nil, help: ""),
    Parameter("ties", .choice(["lru", "fifo"]), default: .text("lru"), help: ""),
    Parameter("trace", .flag, default: .flag(false), help: ""),
  ]

  private func error(_ text: String) -> SpecificationError? {
    do throws(SpecificationError) {
      _ = try Specification(parsing: text).arguments(for: Self.parameters)
      return nil
    } catch {
      return error
    }
  }

  @Test("A name alone has the defaults")
  func defaults() throws {
    let arguments = try Specification(parsing: "slru").arguments(for: Self.parameters)
    #expect(arguments.fraction("share") == Fraction(8, 10))
    #expect(arguments.value("segments") == nil)
    #expect(arguments.text("ties") == "lru")
    #expect(arguments.flag("trace") == false)
    #expect(arguments.given.isEmpty)
  }

  @Test("Given parameters are typed, the rest have their defaults")
  func given() throws {
    let text = "slru:segments=4:ties=fifo:trace=true"
    let specification = try Specification(parsing: text)
    #expect(specification.name == "slru")
    #expect("\(specification)" == text)
    let arguments = try specification.arguments(for: Self.parameters)
    #expect(arguments.integer("segments") == 4)
    #expect(arguments.text("ties") == "fifo")
    #expect(arguments.flag("trace"))
    #expect(arguments.fraction("share") == Fraction(8, 10))
    #expect(arguments.given.count == 3)
  }

  @Test("A value may hold an equals sign")
  func equalsInValue() throws {
    let specification = try Specification(parsing: "csv:key=a=b")
    #expect(specification.given.map(\.key) == ["key"])
    #expect(specification.given.map(\.text) == ["a=b"])
  }

  @Test("What is wrong is named")
  func errors() {
    #expect(error("slru:") == .malformed(specification: "slru:", part: ""))
    #expect(error("slru:fast") == .malformed(specification: "slru:fast", part: "fast"))
    #expect(error("slru:=1") == .malformed(specification: "slru:=1", part: "=1"))
    #expect(
      error("slru:ties=lru:ties=lru")
        == .repeated(specification: "slru:ties=lru:ties=lru", parameter: "ties"))
    #expect(
      error("slru:tie=lru")
        == .unknown(
          name: "slru", parameter: "tie", known: ["share", "segments", "ties", "trace"]))
    #expect(
      error("slru:segments=0")
        == .outOfRange(name: "slru", parameter: Self.parameters[1], text: "0"))
    #expect(
      error("slru:segments=0")?.description
        == "slru: segments=0 is out of range; give a whole number 1…9")
    #expect(error("slru:ties=LRU")?.description.contains("lru | fifo") == true)
  }

  @Test("What a parameter names may have parameters of its own")
  func nested() throws {
    let text = "lru:resize=true:admission=size:admission.limit=64KiB"
    let specification = try Specification(parsing: text)
    #expect(specification.nested("admission") == "size:limit=64KiB")
    #expect(specification.withoutNested("admission") == "lru:resize=true")
    #expect(specification.nested("filter") == nil)
    #expect(("lru:admission.limit=1" as Specification).nested("admission") == nil)

    let limit = Parameter("limit", .bytes(in: 1...Int.max), default: nil, help: "")
    let parameters = [
      Parameter("resize", .flag, default: nil, help: ""),
      Parameter("admission", .text, default: nil, help: ""), limit.nested(in: "admission"),
    ]
    let arguments = try specification.arguments(for: parameters)
    #expect(arguments.nested("admission") == "size:limit=65536")
    #expect(arguments.nested("resize") == "true")
    #expect(Arguments(parameters: parameters).nested("admission") == nil)
  }

  @Test("A list of specifications keeps what stands in parentheses together")
  func list() {
    #expect(
      "lru,rank:score=min(hits,max(1,age)),arc".listItems == [
        "lru", "rank:score=min(hits,max(1,age))", "arc",
      ])
    #expect("lru,".listItems == ["lru", ""])
    #expect("a),b".listItems == ["a)", "b"])
  }
}
