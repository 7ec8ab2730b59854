/// Samples of traces of language models' serving.
extension TextSample {
  static let serving = [ragPulse, moe, kvEvents]

  static let ragPulse = TextSample(
    format: "ragpulse", name: "trace.jsonl",
    text: #"""
      {"timestamp": "82", "input_length": 3112, "hash_ids": {"sys_prompt": [8302, 7], "passages_ids": [7398], "history": [], "web_search": [], "user_input": [9]}, "session_id": "a"}
      {"timestamp": "93.5", "input_length": 10, "hash_ids": {"sys_prompt": [8302], "passages_ids": [7398], "history": [], "web_search": [], "user_input": []}, "session_id": "b"}
      {"timestamp": "94", "hash_ids": {"sys_prompt": []}}

      """#,
    ids: [0, 1, 2, 3, 0, 2], columns: [.times, .groups],
    damage: [
      (#"{"timestamp": "94", "hash_ids": [1]}"#, "no object hash_ids"),
      (#"{"timestamp": "94", "hash_ids": {"history": ["a"]}}"#, "'a' is no chunk's number"),
      (#"{"timestamp": "94", "hash_ids": {"history": 1}}"#, "a list is no array"),
      (#"{"timestamp": "?", "hash_ids": {"history": [1]}}"#, "'?' is no timestamp"),
      (#"{"timestamp": "94", "hash_ids": {"history": [1]}"#, "not one JSON object"),
      (#"{"timestamp": "94", "hash_ids": {"history": [1"#, "not one JSON object"),
    ])

  static let moe = TextSample(
    format: "moe", name: "experts.jsonl",
    text: #"""
      {"t": 0, "layer": 3, "experts": [17, 4]}
      {"t": 0, "layer": 4, "experts": [17, 9]}
      {"layer": 3, "t": 1, "experts": [4, 17]}
      {"t": 1, "layer": 4, "experts": []}

      """#,
    ids: [0, 1, 2, 3, 1, 0], columns: [.times, .groups, .classes],
    damage: [
      (#"{"t": 1, "layer": 0, "experts": 5}"#, "'5' is no array of experts"),
      (#"{"t": 1, "layer": -1, "experts": [1]}"#, "'-1' is no layer"),
      (#"{"t": 1, "layer": 0, "experts": ["a"]}"#, "'a' is no expert"),
      (#"{"t": 1}"#, "no layer and experts"),
      (#"{"t": "?", "layer": 0, "experts": [1]}"#, "'?' is no time t"),
      (#"{"t": 1, "layer": 0, "experts": [1]"#, "not one JSON object"),
      (
        #"{"t": 1, "routed_experts": "AAEC"}"#,
        "routed_experts is no array of tokens, layers and experts"
      ),
    ])

  static let kvEvents = TextSample(
    format: "kv-events", name: "events.jsonl",
    text: #"""
      {"ts": 0.5, "event": "BlockStored", "block_hashes": [71, -72], "parent_block_hash": null, "token_ids": [1, 2], "block_size": 1}
      {"ts": 1.5, "type": "BlockStored", "block_hashes": ["a1"], "medium": "CPU"}
      {"ts": 2.0, "events": [{"type": "BlockRemoved", "block_hashes": [71]}, {"type": "BlockStored", "block_hashes": [73], "medium": "GPU"}]}
      [2.5, [["BlockStored", [71], null, [1, 2], 1, null, "GPU"], ["BlockStored", [74], 71, [3], 1, null, "cpu"]], 0]
      [3, [["AllBlocksCleared"]], 0]
      {"ts": 4, "event": "BlockStored", "block_hashes": [73]}

      """#,
    ids: [0, 1, 2, 0, 1, 2, 0, 2], columns: [.times, .operations, .keyLengths],
    damage: [
      (
        #"{"ts": 5, "type": "BlockLost", "block_hashes": [1]}"#,
        "'BlockLost' is no event of a cache"
      ),
      (#"{"ts": 5, "type": "BlockStored"}"#, "no block_hashes"),
      (#"{"ts": 5, "type": "BlockStored", "block_hashes": [""]}"#, "a hash is empty"),
      (#"{"type": "BlockStored", "block_hashes": [1]}"#, "'' is no time"),
      (#"{"ts": 5, "type": "BlockStored""#, "neither an event nor a batch of them"),
      ("[5, 6]", "neither an event nor a batch of them"),
    ])
}
