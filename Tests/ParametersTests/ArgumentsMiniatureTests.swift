import Parameters
import Testing

@Suite("Parameters of miniatures")
struct ArgumentsMiniatureTests {
  private let parameters = [
    Parameter(
      "interval", .integer(in: 8...1_000_000), default: .integer(10_000), time: .requests, help: ""),
    Parameter("decay", .integer(in: 0...Int.max), default: .integer(0), time: .requests, help: ""),
    Parameter(
      "lifetime", .fraction(in: Fraction(0)...Fraction(100)), default: .fraction(Fraction(4)),
      time: .requests, help: ""),
    Parameter(
      "lambda", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 1000)),
      time: .perRequest, help: ""),
    Parameter("wait", .integer(in: 0...100), default: nil, time: .requests, help: ""),
    Parameter("sample", .integer(in: 1...100), default: .integer(32), help: ""),
  ]

  @Test("Times become shorter, defaults too; what is no time stays")
  func scaled() {
    let whole = Arguments(parameters: parameters, given: ["interval": .integer(2_000)])
    let small = whole.miniature(ofRequests: 0.05)
    #expect(small.integer("interval") == 100)
    #expect(small.fraction("lifetime") == Fraction(2, 10))
    #expect(small.fraction("lambda").double == 0.02)
    #expect(small.integer("sample") == 32 && small.given["sample"] == nil)
    #expect(small.value("wait") == nil)
    #expect(whole.miniature(ofRequests: 1).integer("interval") == 2_000)
  }

  @Test("Values stay in range, and only 0 is 0")
  func bounds() {
    let whole = Arguments(
      parameters: parameters, given: ["wait": .integer(3), "lambda": .fraction(Fraction(5, 10))])
    let small = whole.miniature(ofRequests: 1e-4)
    #expect(small.integer("interval") == 8 && small.integer("decay") == 0)
    #expect(small.value("wait") == .integer(1))
    #expect(small.fraction("lambda") == Fraction(1))
    #expect(small.fraction("lifetime") == Fraction(4, 10_000))
    #expect(whole.miniature(ofRequests: 1e-12).fraction("lifetime") == Fraction(1, 1_000_000_000))
    let never = Arguments(parameters: parameters, given: ["decay": .integer(.max)])
    #expect(never.miniature(ofRequests: 1).integer("decay") == .max)
  }

  @Test("The parameters of a filter are scaled under their prefix")
  func nested() {
    let outer = Parameter("admission", .text, default: nil, help: "")
    let arguments = Arguments(
      parameters: [outer, parameters[0].nested(in: "admission")],
      given: ["admission": .text("adaptsize")])
    #expect(
      arguments.miniature(ofRequests: 0.1).nested("admission")
        == "adaptsize:interval=1000")
  }
}
