import Rendering
import Testing

/// Texts from outside in forms where some characters do something.
@Suite struct EscapingTests {
  @Test(arguments: [
    ("lru", "lru"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("-0.5", "-0.5"), ("+7", "+7"),
    ("=HYPERLINK(1).csv", "'=HYPERLINK(1).csv"), ("@SUM(1,2)", "\"'@SUM(1,2)\""),
    ("-", "-"), ("-cmd|x", "'-cmd|x"), ("+1+cmd", "'+1+cmd"),
  ])
  func aCellIsNoFormula(text: String, field: String) { #expect(text.csvField == field) }

  @Test(arguments: [
    ("-4.50", "$-$4.50"), ("−4.50", "$-$4.50"), ("0.5", "0.5"), ("–", "--"),
    ("-0.10 ± 0.02", "$-$0.10 $\\pm$ 0.02"), ("< 3", "$<$ 3"),
  ])
  func aNumberHasAMinusSign(text: String, number: String) { #expect(text.latexNumber == number) }

  /// A name that looks like `exe.txt` may be `txt.exe` with a mark in between.
  @Test(arguments: ["\u{202E}", "\u{2066}", "\u{200F}", "\u{061C}"])
  func marksOfDirectionAreShown(mark: String) {
    #expect("a\(mark)b".printable == "a?b")
    #expect("a\(mark)b".csvField == "a?b")
    #expect("a\(mark)b".workflowMessage == "a?b")
    #expect("a\(mark)b".markupEscaped == "a\u{FFFD}b")
  }

  /// Joiners make one picture of several.
  @Test func otherFormatCharactersStay() {
    let family = "👩\u{200D}👧"
    #expect(family.printable == family && family.markupEscaped == family)
  }
}
