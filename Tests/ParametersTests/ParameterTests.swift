import Parameters
import Testing

@Suite("Parameters")
struct ParameterTests {
  private func parse(_ kind: Parameter.Kind, _ text: String) -> Parameter.Value? {
    Parameter("p", kind, default: nil, help: "").parse(text)
  }

  @Test("Whole numbers are parsed within their range")
  func integers() {
    #expect(parse(.integer(in: 1...254), "1") == .integer(1))
    #expect(parse(.integer(in: 1...254), "254") == .integer(254))
    #expect(parse(.integer(in: 1...254), "0") == nil)
    #expect(parse(.integer(in: 1...254), "255") == nil)
    #expect(parse(.integer(in: 0...Int.max), "1e6") == .integer(1_000_000))
    #expect(parse(.integer(in: 0...Int.max), "1.5") == nil)
    #expect(parse(.integer(in: 0...Int.max), "four") == nil)
  }

  @Test("Bytes are whole numbers, or numbers with a unit")
  func bytes() {
    let kind = Parameter.Kind.bytes(in: 1...1 << 20)
    #expect(parse(kind, "512") == .integer(512))
    #expect(parse(kind, "1e3") == .integer(1_000))
    #expect(parse(kind, "64KiB") == .integer(65_536))
    #expect(parse(kind, "1.5kB") == .integer(1_500))
    #expect(parse(kind, "7B") == .integer(7))
    for text in ["0", "0KiB", "2MiB", "1.5", "KiB", "64kib", "64 KiB", "99999999999TB"] {
      #expect(parse(kind, text) == nil, "\(text)")
    }
    #expect(kind.name == "bytes" && kind.range == "1…1048576")
  }

  @Test("Fractions are parsed within their range")
  func fractions() {
    let kind = Parameter.Kind.fraction(in: Fraction(0)...Fraction(1))
    #expect(parse(kind, "0.80") == .fraction(Fraction(8, 10)))
    #expect(parse(kind, "1") == .fraction(Fraction(1)))
    #expect(parse(kind, "1.000001") == nil)
    #expect(parse(kind, "80%") == nil)
  }

  @Test("Choices, flags and texts are taken as they are written")
  func words() {
    #expect(parse(.choice(["lru", "fifo"]), "fifo") == .text("fifo"))
    #expect(parse(.choice(["lru", "fifo"]), "FIFO") == nil)
    #expect(parse(.flag, "true") == .flag(true))
    #expect(parse(.flag, "false") == .flag(false))
    #expect(parse(.flag, "yes") == nil)
    #expect(parse(.text, "any: thing") == .text("any: thing"))
  }

  @Test("Ranges are described")
  func ranges() {
    #expect(Parameter.Kind.integer(in: 1...254).range == "1…254")
    #expect(Parameter.Kind.integer(in: 1...Int.max).range == "≥ 1")
    #expect(Parameter.Kind.fraction(in: Fraction(0)...Fraction(5, 10)).range == "0…0.5")
    #expect(Parameter.Kind.choice(["lru", "fifo"]).range == "lru | fifo")
    #expect(Parameter.Kind.flag.range == "true | false")
  }
}
