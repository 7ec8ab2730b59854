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

  @Test func headingTakesMoreLinesBeforeAColumnIsLeftOut() {
    var table = TextTable([
      .init("policy"), .init("miss reduction %", .right), .init("hits", .right, rank: 2),
      .init("seconds", .right, rank: 1),
    ])
    table.append(["lru", .init("1.00", isBest: true), "22", "0.25"])
    func text(_ width: Int) -> String { table.text(style: ReportStyle(width: width)) }
    #expect(
      text(40) == """
        policy  miss reduction %   hits  seconds
        lru                 1.00*    22     0.25

        """)
    #expect(
      text(38) == """
                       miss
        policy  reduction %   hits  seconds
        lru            1.00*    22     0.25

        """)
    #expect(
      text(30) == """
                       miss
        policy  reduction %   seconds
        lru            1.00*     0.25

        """)
    #expect(table.titlesLeftOut(style: ReportStyle(width: 30)) == ["hits"])
    #expect(table.titlesLeftOut(style: ReportStyle(width: 10)) == ["hits", "seconds"])
    #expect(table.titlesLeftOut(style: .plain) == [])
  }

  @Test func proseTakesSeveralLines() {
    var table = TextTable([.init("name"), .init("what it is", isProse: true)])
    table.append(["lru", "least recently used, first to leave"])
    table.append(["fifo", "first in"])
    #expect(
      table.text(style: ReportStyle(width: 24)) == """
        name  what it is
        lru   least recently
              used, first to
              leave
        fifo  first in

        """)
  }

  @Test func markTakesItsPlaceInEveryRow() {
    var table = TextTable([.init("a", .right), .init("b", .right)])
    table.append([.init("10", isBest: true), "1"])
    table.append(["9", "22"])
    #expect(table.text() == " a    b\n10*   1\n 9   22\n")
  }
}
