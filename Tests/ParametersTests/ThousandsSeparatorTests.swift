import Parameters
import Testing

/// Commas in lists of numbers.
@Suite struct ThousandsSeparatorTests {
  @Test(arguments: [
    ("1,024", "“1,024” may be one number or a list; write 1024, or in a list 24 for 024"),
    (
      "8,64,065KiB",
      "“64,065KiB” may be one number or a list; write 64065KiB, or in a list 65KiB for 065KiB"
    ),
    (
      "1,000,500,7",
      "“1,000,500” may be one number or a list; write 1000500, or in a list 0 for 000"
    ),
    ("128,000", "“128,000” may be one number or a list; write 128000, or in a list 0 for 000"),
    (
      "5,064.5MiB",
      "“5,064.5MiB” may be one number or a list; write 5064.5MiB, or in a list 64.5MiB for 064.5MiB"
    ),
    (
      "1,00.5%,2,050%",
      "“2,050%” may be one number or a list; write 2050%, or in a list 50% for 050%"
    ),
  ])
  func aNumberWithThousandsIsSaid(list: String, message: String) {
    #expect(ThousandsSeparator(in: items(list))?.description == message)
  }

  @Test(arguments: [
    "1,24", "1,100", "1024,2048", "1%,024", "1234,024", "024,1", "1,0", "1,00", "1,0100", "1,0.5%",
    "0.1%,1%,10%", "", "1,", ",024", "64MiB,064",
  ])
  func listsAreNone(list: String) {
    #expect(ThousandsSeparator(in: items(list)) == nil)
  }

  private func items(_ list: String) -> [String] {
    list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}
