/// e to the power of `x`, which is not positive, from the four operations alone.
///
/// The C library's functions differ in the last bit from platform to platform; what a policy learns
/// must not. Off by a few units in the last place; 0 below −700, where a learner needs no more.
@inlinable
func decay(_ x: Double) -> Double {
  assert(x <= 0, "e to the power of \(x) does not decay")
  if x < -700 { return 0 }
  // x = n ln 2 + rest, ln 2 in two parts of which the first has zeros at its end.
  let n = Int(x * 1.4426950408889634 - 0.5)
  let rest =
    (x - Double(n) * 0.693147180369123816490) - Double(n) * 1.90821492927058770002e-10
  // Padé's approximant of degree 6 in both parts, whose even and odd powers are shared.
  let square = rest * rest
  let even = 1 + square * (5.0 / 44 + square * (1.0 / 792 + square * (1.0 / 665_280)))
  let odd = rest * (0.5 + square * (1.0 / 66 + square * (1.0 / 15_840)))
  return (even + odd) / (even - odd) * Double(bitPattern: UInt64(1023 + n) << 52)
}
