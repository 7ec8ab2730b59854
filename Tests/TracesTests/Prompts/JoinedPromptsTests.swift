import Testing
import Traces

/// Prompts of several files as one trace.
@Suite struct JoinedPromptsTests {
  private static let columns: TraceColumns = [.prompts, .times, .groups]
  private let folder = TemporaryFolder()

  private func joined(_ texts: [String], format: String) throws -> Trace {
    let paths = texts.enumerated().map { folder.file("\($0).jsonl", Array($1.utf8)) }
    return try TraceLoader.load(paths: paths, format: format, columns: Self.columns)
  }

  @Test func promptsAreInOrderOfTime() throws {
    let trace = try joined(
      [
        #"""
        {"session_id": "a", "timestamp": 0, "input_length": 8, "output_length": 1, "hash_ids": [5, 6]}
        {"session_id": "a", "timestamp": 20, "input_length": 9, "output_length": 2, "hash_ids": [5, 6, 7]}

        """#,
        #"""
        {"session_id": "b", "timestamp": 10, "input_length": 4, "output_length": 3, "hash_ids": [9]}
        {"session_id": "a", "timestamp": 20, "input_length": 7, "output_length": 4, "hash_ids": [5, 8]}

        """#,
      ], format: "mooncake:block=4")
    #expect(ids(trace) == [0, 1, 2, 0, 1, 3, 0, 4], "one space of block ids")
    #expect(trace.integerKey(of: 2) == 9)
    #expect(trace.prompts?.lengths.map(\.input) == [8, 4, 9, 7])
    #expect(trace.prompts?.lengths.map(\.output) == [1, 3, 2, 4])
    #expect(trace.prompts?.sessions == [0, 1, 0, 0], "a session of one name is one")
    #expect(trace.groupStarts.map(Array.init) == [0, 2, 3, 6])
    let starts = try #require(trace.groupStarts)
    #expect(starts.map { trace.times?[Int($0)] } == [0, 10, 20, 20].map { $0 * 1_000_000 })
  }

  @Test func promptsWithoutTimesAreInOrderOfTheFiles() throws {
    let lines = [[1, 2], [1, 3]].map {
      #"{"block_size": 4, "input_length": 8, "hash_ids": \#($0)}"# + "\n"
    }
    let trace = try joined(lines, format: "mooncake")
    #expect(ids(trace) == [0, 1, 0, 2] && trace.times == nil)
    #expect(trace.prompts?.sessions == nil && trace.prompts?.blockTokens == 4)
  }

  @Test func wekasSessionsStayApartAndBeginAsInOneFile() throws {
    let sessions = [[0, 70], [5], [0, 1]].map { times in
      let requests = times.enumerated().map { turn, time in
        #"{"t": \#(time), "in": \#(64 * (turn + 1)), "out": 1, "hash_ids": \#(Array(1...turn + 1))}"#
      }
      return
        #"{"block_size": 64, "hash_id_scope": "local", "requests": [\#(requests.joined(separator: ", "))]}"#
        + "\n"
    }
    let whole = try joined([sessions.joined()], format: "weka")
    #expect(whole.distinct == 5 && whole.prompts?.sessions == [0, 1, 0, 2, 2])
    for files in [sessions, [sessions[0], sessions[1] + sessions[2]]] {
      let trace = try joined(files, format: "weka")
      #expect(ids(trace) == ids(whole))
      #expect(trace.times.map(Array.init) == whole.times.map(Array.init))
      #expect(trace.groupStarts.map(Array.init) == whole.groupStarts.map(Array.init))
      #expect(trace.prompts?.sessions == whole.prompts?.sessions)
      #expect(trace.prompts?.lengths == whole.prompts?.lengths)
    }
  }

  @Test func wekasGlobalIDsAreSharedBySessions() throws {
    let session =
      #"{"block_size": 64, "hash_id_scope": "global", "requests": [{"t": 0, "in": 64, "out": 1, "hash_ids": [1]}]}"#
      + "\n"
    let trace = try joined([session + session, session], format: "weka")
    #expect(ids(trace) == [0, 0, 0] && trace.prompts?.sessions == [0, 1, 2])
    let local = session.replacing("global", with: "local")
    #expect(ids(try joined([session, local], format: "weka")) == [0, 1])
  }

  @Test func bailiansChatsContinueThoseOfEarlierFiles() throws {
    let trace = try joined(
      [
        #"{"chat_id": 1, "parent_chat_id": -1, "timestamp": 0, "input_length": 16, "hash_ids": [5]}"#
          + "\n",
        #"{"chat_id": 2, "parent_chat_id": 1, "timestamp": 1, "input_length": 16, "hash_ids": [5]}"#
          + "\n",
      ], format: "bailian")
    #expect(trace.prompts?.sessions == [0, 0])
  }

  @Test func blocksOfOtherSizesAreRefused() {
    let lines = [4, 8].map {
      #"{"block_size": \#($0), "input_length": 4, "hash_ids": [1]}"# + "\n"
    }
    let paths = lines.enumerated().map { folder.file("\($0).jsonl", Array($1.utf8)) }
    let error = failure { () throws(TraceError) in
      _ = try TraceLoader.load(paths: paths, name: "x", columns: Self.columns)
    }
    #expect(
      error?.description == "x: blocks of 4 tokens and of 8 tokens are no blocks of one cache; "
        + "join files whose blocks hold equally many tokens")
    // Without prompts they are keys of one space.
    #expect((try? TraceLoader.load(paths: paths))?.distinct == 1)
  }
}
