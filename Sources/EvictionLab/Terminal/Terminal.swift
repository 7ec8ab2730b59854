import Rendering

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The size of terminals.
enum Terminal {
  /// The columns where there is no terminal.
  static let usualWidth = 80

  /// The style of a list: within the terminal, and elsewhere an entry a line.
  static var listStyle: ReportStyle {
    let width = isatty(1) == 1 ? width(of: 1) : nil
    return ReportStyle(width: width, proseWidth: width)
  }

  /// The columns of the terminal that a file descriptor is.
  static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : usualWidth
  }
}
