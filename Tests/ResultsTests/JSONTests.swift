import Results
import Testing

/// JSON values are written with their keys in order and read back as they were.
@Suite struct JSONTests {
  @Test func valuesAreWrittenOnOneLine() {
    let value: JSON = [
      "z": .integer(1), "a": .array([.null, .boolean(true), .number(0.1), .number(1)]),
      "text": "\"\\\n\u{1}é",
    ]
    #expect(value.text == #"{"z": 1, "a": [null, true, 0.1, 1.0], "text": "\"\\\n\u0001é"}"#)
  }

  @Test func documentHasOneLinePerEntry() {
    let value: JSON = ["schema": "x/1", "none": .array([]), "some": .array([.integer(1), "b"])]
    #expect(
      value.document == """
        {
          "schema": "x/1",
          "none": [],
          "some": [
            1,
            "b"
          ]
        }

        """)
  }

  @Test(arguments: [
    0.1, 1.0 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e16, -2.5, 0, 123456789.125,
  ])
  func doublesKeepTheirPrecision(_ value: Double) throws {
    #expect(try JSON(reading: JSON.number(value).text.utf8) == .number(value))
  }

  @Test func numbersThatJSONCannotExpressAreNull() {
    #expect(JSON.array([.number(.nan), .number(.infinity)]).text == "[null, null]")
  }

  @Test func escapesAreUnderstood() throws {
    let text = #" "\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\" "#
    #expect(try JSON(reading: text.utf8) == "é😀/\u{8}\u{C}\n\r\t\"\\")
  }

  @Test func spaceBetweenTokensIsSkipped() throws {
    #expect(try JSON(reading: "\n{ \"a\" :\t[ ] }\r\n".utf8) == ["a": .array([])])
  }

  @Test(arguments: [
    ("", 0), ("{", 1), ("[1,]", 3), ("{\"a\" 1}", 5), ("\"a", 2), ("nul", 0), ("01", 0),
    ("-007", 0),
    ("1 2", 2), ("+1", 0), (".5", 0), ("1.", 0), ("\"\\x\"", 3), ("\"\\ud800\"", 7), ("\"\n\"", 1),
    ("inf", 0), ("{1: 2}", 1),
  ])
  func brokenTextIsRefusedWithItsPlace(_ text: String, _ byte: Int) {
    let error = #expect(throws: JSONError.self) { try JSON(reading: text.utf8) }
    #expect(error?.byte == byte)
  }

  @Test func deepNestingIsRefused() {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) { try JSON(reading: text.utf8) }
  }
}
