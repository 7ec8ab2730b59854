import EvictionTesting
import MyPolicies
import Testing

@Test func keepsTheContract() throws {
  try PolicyConformance<LIP>().check()
  try PolicyConformance<SecondRequest>().check()
}
