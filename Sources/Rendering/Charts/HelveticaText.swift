import Foundation

/// A text in PDF's standard font: its bytes in WinAnsi, and its width.
struct HelveticaText {
  private let bytes: [UInt8]

  /// A text; what the font does not have is a question mark.
  init(_ text: String) {
    bytes = text.unicodeScalars.map { scalar in
      switch scalar {
      case " "..."~", "\u{A0}"..."\u{FF}": UInt8(scalar.value)
      case "…": 0x85
      case "–", "−": 0x96
      case "—": 0x97
      default: UInt8(ascii: "?")
      }
    }
  }

  /// The text between the parentheses of a string of PDF.
  var escaped: String {
    bytes.map { byte in
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"):
        "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: String(UnicodeScalar(byte))
      default: String(format: "\\%03o", byte)
      }
    }.joined()
  }

  func width(size: Double) -> Double {
    Double(bytes.reduce(0) { $0 + HelveticaText.width(of: $1) }) * size / 1000
  }

  /// The width in thousandths of the size; that of a digit beyond ASCII.
  private static func width(of byte: UInt8) -> Int {
    (0x20..<0x7F).contains(byte) ? widths[Int(byte) - 0x20] : 556
  }

  /// The widths of ASCII's printable characters, by the font's metrics.
  private static let widths = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ]
}
