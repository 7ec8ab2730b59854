import Foundation

/// A drawing on one page of PDF 1.4, without compression and in ASCII, its texts in Helvetica, which every
/// reader has.
///
///     var file = PDFDrawing(width: 440, height: 270, title: "Miss ratio by capacity")
///     file.draw(mark, ink) { look($0, ink) }
///     try file.text.write(to: url, atomically: true, encoding: .ascii)
struct PDFDrawing {
  private let width: Double
  private let height: Double
  private let title: String
  private var content = ""

  init(width: Double, height: Double, title: String) {
    self.width = width
    self.height = height
    self.title = title
  }

  /// Adds a mark.
  mutating func draw(_ mark: ChartMark, _ ink: ChartInk, _ look: (ChartMark.Role) -> ChartLook) {
    switch mark {
    case .path(let lines, let role, let isClosed):
      let steps = lines.filter { !$0.isEmpty }.map { path($0, isClosed: isClosed) }.joined()
      if !steps.isEmpty { paint(steps, look(role)) }
    case .text(let text, let place, let anchor, let role, let isTurned):
      write(text, at: place, anchor, look(role), isTurned: isTurned)
    case .point(let place, _):
      let corners = ink.corners(around: place).map { path($0, isClosed: true) }
      paint(corners ?? circle(around: place), look(.dot))
    }
  }

  private mutating func paint(_ steps: String, _ look: ChartLook) {
    var settings = look.opacity < 1 ? "/Band gs\n" : ""
    if let fill = look.fill { settings += PDFDrawing.color(fill) + " rg\n" }
    if let stroke = look.stroke {
      let dashes = look.dashes.map(PDFDrawing.number).joined(separator: " ")
      settings +=
        "\(PDFDrawing.color(stroke)) RG \(PDFDrawing.number(look.width)) w 1 j [\(dashes)] 0 d\n"
    }
    content += "q\n\(settings)\(steps)\(look.fill == nil ? "S" : "f")\nQ\n"
  }

  private mutating func write(
    _ text: String, at place: ChartMark.Place, _ anchor: ChartMark.Anchor, _ look: ChartLook,
    isTurned: Bool
  ) {
    let bytes = HelveticaText(text)
    let back: Double =
      switch anchor {
      case .start: 0
      case .middle: bytes.width(size: ChartLook.fontSize) / 2
      case .end: bytes.width(size: ChartLook.fontSize)
      }
    let origin = isTurned ? (x: place.x, y: place.y + back) : (x: place.x - back, y: place.y)
    let turn = isTurned ? "0 1 -1 0" : "1 0 0 1"
    content +=
      "BT \(PDFDrawing.color(look.fill ?? "#000")) rg /\(look.isBold ? "Bold" : "Plain") "
      + "\(PDFDrawing.number(ChartLook.fontSize)) Tf \(turn) \(at(origin)) Tm (\(bytes.escaped)) Tj ET\n"
  }

  private func path(_ places: [ChartMark.Place], isClosed: Bool) -> String {
    places.enumerated().map { index, place in "\(at(place)) \(index == 0 ? "m" : "l")\n" }.joined()
      + (isClosed ? "h\n" : "")
  }

  /// A circle of four curves.
  private func circle(around place: ChartMark.Place) -> String {
    let (radius, pull) = (ChartInk.radius, ChartInk.radius * 0.5523)
    func at(_ x: Double, _ y: Double) -> String { self.at((place.x + x, place.y + y)) }
    return "\(at(radius, 0)) m\n"
      + "\(at(radius, pull)) \(at(pull, radius)) \(at(0, radius)) c\n"
      + "\(at(-pull, radius)) \(at(-radius, pull)) \(at(-radius, 0)) c\n"
      + "\(at(-radius, -pull)) \(at(-pull, -radius)) \(at(0, -radius)) c\n"
      + "\(at(pull, -radius)) \(at(radius, -pull)) \(at(radius, 0)) c\nh\n"
  }

  /// A place in PDF's coordinates, which start at the bottom.
  private func at(_ place: ChartMark.Place) -> String {
    "\(PDFDrawing.number(place.x)) \(PDFDrawing.number(height - place.y))"
  }

  private static func number(_ value: Double) -> String { String(format: "%.2f", value) }

  /// `#0067a8` or `#fff` as three fractions.
  private static func color(_ hexadecimal: String) -> String {
    let digits = hexadecimal.dropFirst().map { $0.hexDigitValue ?? 0 }
    let values =
      digits.count == 3
      ? digits.map { $0 * 17 }
      : stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
    return values.map { String(format: "%.3f", Double($0) / 255) }.joined(separator: " ")
  }

  /// The whole file, with a line end as its last byte.
  var text: String {
    let fonts = [("Plain", "Helvetica"), ("Bold", "Helvetica-Bold")].map { name, font in
      "/\(name) << /Type /Font /Subtype /Type1 /BaseFont /\(font) /Encoding /WinAnsiEncoding >>"
    }
    let objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(PDFDrawing.number(width)) "
        + "\(PDFDrawing.number(height))] /Contents 4 0 R /Resources << /Font << "
        + fonts.joined(separator: " ") + " >> /ExtGState << /Band << /ca 0.18 >> >> >> >>",
      "<< /Length \(content.utf8.count) >>\nstream\n\(content)endstream",
      "<< /Title (\(HelveticaText(title).escaped)) >>",
    ]
    var file = "%PDF-1.4\n% EvictionLab\n"
    var offsets: [Int] = []
    for (number, object) in objects.enumerated() {
      offsets.append(file.utf8.count)
      file += "\(number + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = file.utf8.count
    file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    file += offsets.map { String(format: "%010d 00000 n \n", $0) }.joined()
    return file
      + "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R /Info 5 0 R >>\n"
      + "startxref\n\(start)\n%%EOF\n"
  }
}
