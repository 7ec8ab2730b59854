import Parameters
import Testing

@Suite("Fractions")
struct FractionTests {
  @Test(
    "are parsed from decimal notation",
    arguments: [
      ("0.8", 8, 10), (".5", 5, 10), ("2", 2, 1), ("2.", 2, 1), ("1e6", 1_000_000, 1),
      ("1e-3", 1, 1000), ("1.5e1", 15, 1), ("0.29", 29, 100), ("0", 0, 1), ("1E2", 100, 1),
      ("999999999999999999", 999_999_999_999_999_999, 1), ("1e-18", 1, 1_000_000_000_000_000_000),
    ])
  func decimals(text: String, numerator: Int, denominator: Int) {
    #expect(Fraction(parsing: text) == Fraction(numerator, denominator))
  }

  @Test(
    "are nothing else",
    arguments: [
      "", ".", "-1", "+1", "1.2.3", "e5", "1e", "1e5e5", "0x1", "1,5", " 1", "1 ", "nan", "½",
      "1e19", "1e-19", "99999999999999999999", "0.0000000000000000001",
    ])
  func otherNotations(text: String) {
    #expect(Fraction(parsing: text) == nil)
  }

  @Test("are decimals, whatever their denominator")
  func otherDenominators() {
    #expect("\(Fraction(1, 2))" == "0.5" && "\(Fraction(3, 40))" == "0.075")
    #expect(Fraction(1, 2).denominator == 10 && Fraction(1, 2) == Fraction(50, 100))
    #expect(Set([Fraction(1, 4), Fraction(25, 100)]).count == 1)
    #expect(Fraction(1, 4).floor(of: 10) == 2)
  }

  @Test("times a count are floored exactly")
  func products() {
    #expect(Fraction(29, 100).floor(of: 100) == 29)
    #expect(Fraction(8, 10).floor(of: 1) == 0)
    #expect(Fraction(8, 10).floor(of: 1_000) == 800)
    #expect(Fraction(8, 10).floor(of: .max) == 7_378_697_629_483_820_645)
    #expect(Fraction(1).floor(of: .max) == .max)
    for percent in 0...200 {
      for count in 0...100 {
        let exact = percent * count / 100
        if Fraction(percent, 100).floor(of: count) != exact {
          Issue.record("\(percent) % of \(count) is \(exact)")
        }
      }
    }
  }

  @Test("times a count beyond every integer are the largest integer")
  func largeProducts() {
    #expect(Fraction(2).floor(of: .max) == .max)
    #expect(Fraction(3).floor(of: .max) == .max)
    #expect(Fraction(11, 10).floor(of: .max) == .max)
    #expect(Fraction(1_000_000).floor(of: .max / 2) == .max)
    #expect(Fraction(2).floor(of: .max / 2) == .max - 1)
  }

  @Test("compare by value, and equal ones hash alike")
  func comparison() {
    #expect(Fraction(5, 10) == Fraction(50, 100))
    #expect(Fraction(5, 10).hashValue == Fraction(50, 100).hashValue)
    #expect(Fraction(29, 100) < Fraction(3, 10))
    #expect(!(Fraction(3, 10) < Fraction(30, 100)))
    #expect(Fraction(Int.max) > Fraction(Int.max - 1))
    for step in 0..<2_000 {
      let short = Fraction(90_071_992_547_409_931 + step, 100_000_000_000_000_000)
      let long = Fraction(900_719_925_474_099_310 + step * 10, 1_000_000_000_000_000_000)
      if short != long || short.hashValue != long.hashValue {
        Issue.record("\(short) in two notations hashes unlike")
        return
      }
    }
  }

  @Test("print as they would be written, and parse back")
  func description() {
    #expect("\(Fraction(8, 10))" == "0.8")
    #expect("\(Fraction(80, 100))" == "0.8")
    #expect("\(Fraction(2))" == "2")
    #expect("\(Fraction(25, 10))" == "2.5")
    #expect("\(Fraction(1, 1000))" == "0.001")
    for digits in 0...1_000 {
      let fraction = Fraction(digits, 100)
      if Fraction(parsing: "\(fraction)") != fraction { Issue.record("\(fraction)") }
    }
  }

  @Test("are what is written for a binary number")
  func sharesOfCounts() {
    #expect(0.29.floor(of: 100) == 29 && 0.8.floor(of: 5) == 4 && 1.0.floor(of: .max) == .max)
    #expect(0.0.floor(of: 7) == 0 && 1e-15.floor(of: .max) == 9223)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let count = Int.random(in: 0...Int.max, using: &generator) >> Int.random(in: 0..<63)
      let places = Int.random(in: 0...15)
      let unit = (0..<places).reduce(1) { unit, _ in unit * 10 }
      let share = Fraction(Int.random(in: 0...unit), unit)
      #expect(share.double.floor(of: count) == share.floor(of: count), "\(share) of \(count)")
    }
  }

  @Test("are not needed for shares that no short decimal says: those are exact")
  func binarySharesOfCounts() {
    #expect((1.0 / 3).floor(of: 3) == 0 && (2.0 / 3).floor(of: 3) == 1)
    // The number next to 1/3 is 6004799503160661 / 2⁵⁴.
    #expect((1.0 / 3).floor(of: 3 << 54) == 3 * 6_004_799_503_160_661)
    #expect(0x1p-60.floor(of: .max) == 7 && 1e-20.floor(of: .max) == 0)
  }
}
