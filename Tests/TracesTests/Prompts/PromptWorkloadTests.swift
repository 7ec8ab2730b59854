import Foundation
import Parameters
import Testing
import Traces

@Suite("Generated prompts")
struct PromptWorkloadTests {
  static let names = PromptGenerators.all.map { $0.information.name }

  private func prompts(
    _ specification: String, seed: UInt64 = 42
  ) throws -> [PromptWorkload.Prompt] {
    var workload = try PromptWorkload(specification, seed: seed)
    var prompts: [PromptWorkload.Prompt] = []
    while let prompt = workload.next() { prompts.append(prompt) }
    return prompts
  }

  @Test("Every file of the folder that is a generator is in the catalog, with distinct names")
  func catalog() throws {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/Traces/Prompts")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { $0.replacing(".swift", with: "") }
      .filter { $0.hasSuffix("Prompts") && !$0.contains("+") }
    #expect(Set(files) == Set(PromptGenerators.all.map { "\($0)" }))
    #expect(Set(Self.names).count == Self.names.count)
    #expect(Set(Self.names).isDisjoint(with: TraceGenerators.all.map { $0.information.name }))
    for generator in PromptGenerators.all {
      let parameters = generator.information.parameters
      #expect(parameters.map(\.name).suffix(4) == ["block", "context", "rate", "requests"])
      #expect(parameters.allSatisfy { !$0.help.isEmpty && $0.defaultValue != nil })
    }
  }

  @Test("The same seed makes the same prompts, another seed others", arguments: names)
  func seeds(name: String) throws {
    let once = try prompts("\(name):requests=300", seed: 1)
    #expect(once.count == 300)
    #expect(try prompts("\(name):requests=300", seed: 1) == once)
    #expect(try prompts("\(name):requests=300", seed: 2) != once)
  }

  @Test("A number stands for one chain of blocks, and lengths fit their blocks", arguments: names)
  func chains(name: String) throws {
    var parents: [Int: Int] = [:]
    var (time, count) = (0, 0)
    for prompt in try prompts("\(name):requests=1000:block=64:context=4000") {
      #expect(prompt.time >= time)
      time = prompt.time
      #expect(prompt.input <= 4000 && prompt.output > 0)
      #expect(prompt.blocks.count == (prompt.input + 63) / 64)
      var parent = -1
      for block in prompt.blocks {
        #expect(parents[block, default: parent] == parent)
        #expect(block <= count)
        count = max(count, block + 1)
        parents[block] = parent
        parent = block
      }
    }
  }

  @Test("A prompt of a session begins with the whole blocks of the one before")
  func sessionsGrow() throws {
    for name in ["chat", "agents", "retrieval:turns=4"] {
      var last: [Int: PromptWorkload.Prompt] = [:]
      var turns = 0
      for prompt in try prompts("\(name):requests=500") {
        if let before = last[prompt.session] {
          let whole = before.input / before.blockTokens
          #expect(prompt.blocks.prefix(whole) == before.blocks.prefix(whole))
          #expect(prompt.input > before.input + before.output)
          turns += 1
        }
        last[prompt.session] = prompt
      }
      #expect(turns > 100)
    }
  }

  @Test("Sessions of one kind share what they should, and no more")
  func sharing() throws {
    let bare = try prompts("chat:bare=1:turns=1:requests=400")
    #expect(Set(bare.flatMap(\.blocks)).count == bare.reduce(0) { $0 + $1.blocks.count })
    let one = try prompts("shared-prompt:systems=1:system=4000:requests=200")
    let shared = one[0].blocks.prefix(while: { block in one.allSatisfy { $0.blocks.contains(block) }
    })
    #expect(!shared.isEmpty)
    let documents = try prompts("retrieval:documents=1:instruction=512:requests=100")
    #expect(Set(documents.map { $0.blocks[0] }).count == 1)
  }

  @Test("What is written is read as the same prompts", arguments: names)
  func reading(name: String) throws {
    let made = try prompts("\(name):requests=200:block=128")
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("prompts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for ending in [".jsonl", ".jsonl.zst"] {
      let file = folder.appendingPathComponent("made" + ending).path
      try TraceWriter.write(PromptWorkload("\(name):requests=200:block=128"), to: file)
      let trace = try TraceLoader.load(
        path: file, columns: [.times, .groups, .prompts])
      let columns = try #require(trace.prompts)
      #expect(trace.format == TraceWriter.promptFormat)
      #expect(columns.blockTokens == 128)
      #expect(columns.lengths == made.map { PromptLengths(input: $0.input, output: $0.output) })
      #expect(trace.requests == made.reduce(0) { $0 + $1.blocks.count })
      #expect(trace.distinct == Set(made.flatMap(\.blocks)).count)
      #expect(Set(columns.sessions ?? []).count == Set(made.map(\.session)).count)
    }
  }

  @Test("Prompts are the same on every platform")
  func golden() throws {
    for (name, blocks, distinct) in [
      ("chat", 14_829, 7_022), ("agents", 201_776, 15_249), ("retrieval", 141_116, 42_717),
      ("shared-prompt", 26_965, 9_319), ("prompt-mix", 97_003, 35_269),
    ] {
      let made = try prompts(name)
      #expect(made.count == 4000)
      #expect(made.reduce(0) { $0 + $1.blocks.count } == blocks, "\(name)")
      #expect(Set(made.flatMap(\.blocks)).count == distinct, "\(name)")
    }
  }

  @Test("Wrong specifications are refused with a remedy")
  func refusals() {
    func text(_ body: () throws(TraceError) -> Void) -> String {
      do throws(TraceError) { try body() } catch { return "\(error)" }
      return "nothing thrown"
    }
    #expect(
      text { () throws(TraceError) in _ = try PromptWorkload("chta") }
        .hasPrefix("no generator of prompts is called “chta”; "))
    #expect(
      text { () throws(TraceError) in
        _ = try PromptWorkload("prompt-mix:chat=0:agents=0:retrieval=0:shared=0")
      } == "prompt-mix: all weights are 0; give one of them a weight")
    #expect(
      text { () throws(TraceError) in _ = try PromptWorkload("retrieval:documents=2:each=3") }
        == "retrieval: 3 documents of a session are more than all 2; lower each or raise documents"
    )
    #expect(
      text { () throws(TraceError) in try TraceWriter.write(PromptWorkload("chat"), to: "x.lis") }
        == "x.lis: prompts are written as lines of JSON; end the name in .jsonl or .jsonl.zst")
  }
}
