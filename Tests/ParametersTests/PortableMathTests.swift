import Foundation
import Parameters
import Testing

@Suite("Elementary functions from plain arithmetic")
struct PortableMathTests {
  private func expectNear(_ value: Double, _ exact: Double, _ what: String) {
    let isNear = abs(value - exact) <= 3 * exact.ulp
    if !isNear { Issue.record("\(what) is \(value), not \(exact)") }
  }

  @Test("are as exact as the C library's")
  func exactness() {
    for step in -700_000...700_000 where step % 97 == 0 {
      let x = Double(step) / 1_000 + Double(step.magnitude &* 7_919 % 1_000) / 1e7
      expectNear(PortableMath.exp(x), Foundation.exp(x), "e^\(x)")
      expectNear(PortableMath.exp2(x), Foundation.exp2(x), "2^\(x)")
    }
    for step in 1...20_000 as ClosedRange<UInt64> {
      let x = Double((step &* 0x9E37_79B9_7F4A_7C15) >> (step % 60)) + 1.5
      expectNear(PortableMath.log2(x), Foundation.log2(x), "log2 \(x)")
      expectNear(PortableMath.log(x), Foundation.log(x), "ln \(x)")
      expectNear(PortableMath.log(1 / x), Foundation.log(1 / x), "ln \(1 / x)")
    }
  }

  @Test("are exact around zero")
  func smallNumbers() {
    for step in -4_000...4_000 {
      for x in [Double(step) / 4_001, Double(step) / 4e3, Double(step) * 1e-9] {
        expectNear(PortableMath.expMinusOne(x), Foundation.expm1(x), "e^\(x) - 1")
        if x > -1 { expectNear(PortableMath.logOnePlus(x), Foundation.log1p(x), "ln(1 + \(x))") }
      }
    }
    #expect(PortableMath.logOnePlus(-1) == -.infinity)
  }

  @Test("are exact where the result is whole")
  func wholeResults() {
    #expect(PortableMath.exp(0) == 1)
    for power in -1022...1023 {
      #expect(PortableMath.exp2(Double(power)) == Foundation.exp2(Double(power)))
      #expect(PortableMath.log2(Foundation.exp2(Double(power))) == Double(power))
    }
  }

  @Test("end in zero and infinity")
  func ends() {
    #expect(PortableMath.exp(-1e9) == 0 && PortableMath.exp(-.infinity) == 0)
    #expect(PortableMath.exp(1e9) == .infinity && PortableMath.exp2(2e3) == .infinity)
    #expect(PortableMath.exp2(-2e3) == 0)
    #expect(PortableMath.exp(.nan).isNaN && PortableMath.exp2(.nan).isNaN)
  }
}
