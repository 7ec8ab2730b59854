extension StringProtocol {
  /// The number of columns of a terminal that the text takes: two for a wide character, none for one that
  /// combines with the one before.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}

extension Character {
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    let showsAsEmoji = unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation
    if showsAsEmoji || first.isWide { return 2 }
    return first.isInvisible ? 0 : 1
  }
}

extension Unicode.Scalar {
  /// East Asian Width W or F (Unicode Standard Annex 11), by block.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: true
    default: false
    }
  }
}
