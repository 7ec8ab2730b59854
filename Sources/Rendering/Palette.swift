/// The colours of pages and pictures on a light or a dark ground, by their names in the style sheet.
///
/// The eight inks are those of M. Okabe and K. Ito (“Color Universal Design”, 2008), darker on white and
/// lighter on black: names of series are written in them, so their contrast is that of text.
struct Palette {
  private let colors: [(name: String, value: String)]

  /// Reads `name value, name value`.
  private init(_ text: String) {
    colors = text.split(separator: ",").map { entry in
      let words = entry.split(whereSeparator: \.isWhitespace)
      return (name: String(words[0]), value: String(words[1]))
    }
  }

  /// Returns the colour of a name, as `#1c1e21` or `#fff`.
  subscript(name: String) -> String {
    guard let color = colors.first(where: { $0.name == name }) else {
      preconditionFailure("the palette has no colour \(name)")
    }
    return color.value
  }

  /// The colours as declarations of a style sheet: `--back: #fff; --text: …`.
  var declarations: String {
    colors.map { "--\($0.name): \($0.value);" }.joined(separator: " ")
  }

  static let light = Palette(
    """
    back #fff, text #1c1e21, soft #5a616b, line #d9dde3, tint #f3f5f8, mark #dff0e4, link #0b5cad,
    faint #b4bac2, shade #0003, ink-1 #0067a8, ink-2 #c2540a, ink-3 #00795a, ink-4 #b0487f,
    ink-5 #33383f, ink-6 #8a6000, ink-7 #1a79ab, ink-8 #7a5cc2, better-1 #e3eef8, better-2 #bcd9ee,
    better-3 #8cbfe2, better-4 #5fa5d4, worse-1 #fbe9dc, worse-2 #f7cfae, worse-3 #efae7c,
    worse-4 #e28e4e
    """)

  static let dark = Palette(
    """
    back #15181c, text #e6e8eb, soft #a2abb5, line #353c45, tint #1d2127, mark #1f3a2a, link #7db8f5,
    faint #545d68, shade #fff3, ink-1 #5aaef0, ink-2 #f58a4b, ink-3 #3ecf9f, ink-4 #e68fbf,
    ink-5 #d5d9de, ink-6 #e6b93c, ink-7 #9ad8fb, ink-8 #b59cf0, better-1 #1c2a38, better-2 #1f3d57,
    better-3 #215276, better-4 #246592, worse-1 #33261c, worse-2 #523519, worse-3 #6f4417,
    worse-4 #8a5414
    """)
}
