import Rendering
import Testing

/// Columns meet whatever stands in them.
@Suite struct TextTableTests {
  @Test func columnsAreAlignedByDisplayWidth() {
    var table = TextTable([.init("name"), .init("n", .right), .init("note")])
    table.append(["日本", "1", "wide"])
    table.append(["e\u{301}", "22", ""])
    table.beginGroup()
    table.append(["👩‍👩‍👧", "333", "one emoji"])
    #expect(
      table.text() == """
        name    n  note
        日本    1  wide
        e\u{301}      22

        👩‍👩‍👧    333  one emoji

        """)
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("ｆ", 2), ("한", 2), ("😀", 2),
    ("–", 1), ("\u{200B}", 0),
  ])
  func widthIsThatOfATerminal(_ text: String, _ width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test func markTakesItsPlaceInEveryRow() {
    var table = TextTable([.init("a", .right), .init("b", .right)])
    table.append([.init("10", isBest: true), "1"])
    table.append(["9", "22"])
    #expect(table.text() == " a    b\n10*   1\n 9   22\n")
  }
}
