import Traces

/// JUnit's XML, which continuous-integration servers read: a suite per trace, a test case per run.
enum ComparisonJUnit: ComparisonReport {
  static let information = CatalogEntry(
    name: "junit", summary: "JUnit XML: a test case per run, failed or not")

  static func render(_ judgement: Judgement, style: ReportStyle) -> String {
    var items: [CellIdentity: [Judgement.Item]] = [:]
    for item in judgement.items { items[item.difference.cell, default: []].append(item) }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    for trace in judgement.cells.map(\.trace).reduce(
      into: [String](),
      { traces, trace in
        if !traces.contains(trace) { traces.append(trace) }
      })
    {
      let cells = judgement.cells.filter { $0.trace == trace }
      let failures = cells.count { cell in
        (items[cell] ?? []).contains { $0.severity == .failure }
      }
      text += "  <testsuite name=\"\(escaped(trace))\" tests=\"\(cells.count)\""
      text += " failures=\"\(failures)\">\n"
      text += cells.map { testCase($0, items[$0] ?? []) }.joined()
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func testCase(_ cell: CellIdentity, _ items: [Judgement.Item]) -> String {
    let start =
      "    <testcase classname=\"\(escaped(cell.trace))\" name=\"\(escaped(cell.label))\""
    if items.isEmpty { return start + "/>\n" }
    let lines = items.map { item in
      let sentence = escaped(item.difference.sentence)
      return item.severity == .failure
        ? "      <failure message=\"\(sentence)\"/>\n"
        : "      <system-out>\(sentence)</system-out>\n"
    }
    return start + ">\n" + lines.joined() + "    </testcase>\n"
  }

  private static func escaped(_ text: String) -> String {
    let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
    return text.map { entities[$0] ?? "\($0)" }.joined()
  }
}
