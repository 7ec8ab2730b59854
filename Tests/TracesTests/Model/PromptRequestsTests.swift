import Testing
import Traces

@Suite("Requests of prompts")
struct PromptRequestsTests {
  /// Lines of prompts, of which those of odd numbers begin as others did.
  private static func text(_ prompts: Int) -> String {
    var next = 0
    return (0..<prompts).map { prompt in
      let known = prompt.isMultiple(of: 2) ? 0 : prompt % 7
      let ids = (0..<known).map { $0 * 3 } + (next..<next + 1 + prompt % 50).map { $0 }
      next += 40
      let blocks = ids.map(String.init).joined(separator: ", ")
      return "{\"timestamp\": \(prompt), \"input_length\": \(ids.count * 512), "
        + "\"output_length\": 1, \"hash_ids\": [\(blocks)]}\n"
    }.joined()
  }

  @Test(
    "A trace that is read as one of prompts has the columns of another", arguments: [1, 3, 400])
  func columns(prompts: Int) throws {
    let text = Self.text(prompts)
    let all = try load(text, columns: [.times, .groups])
    for limit in [nil, 1, all.requests / 2 + 1, all.requests] {
      let plain = try load(text, columns: [.times, .groups], limit: limit)
      let trace = try load(text, columns: [.times, .groups, .prompts], limit: limit)
      #expect(trace.requests == plain.requests && trace.distinct == plain.distinct)
      #expect(Array(trace.ids) == Array(plain.ids))
      #expect(trace.times.map(Array.init) == plain.times.map(Array.init))
      #expect(trace.groupStarts.map(Array.init) == plain.groupStarts.map(Array.init))
      #expect(trace.columns == plain.columns.union(.prompts))
      #expect(trace.duration(from: 0) == plain.duration(from: 0))
      #expect(trace.longestStepBack == plain.longestStepBack)
      #expect(trace.groupTimes == plain.groupTimes)
    }
  }

  @Test("Prompts without times have none")
  func noTimes() throws {
    let trace = try load(
      "{\"input_length\": 1000, \"hash_ids\": [1, 2]}\n", columns: [.times, .groups, .prompts])
    #expect(trace.times == nil && !trace.hasTimes && trace.groupTimes == nil)
    #expect(Array(trace.ids) == [0, 1])
  }
}
