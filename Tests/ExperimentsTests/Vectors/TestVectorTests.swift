import Experiments
import Requests
import Results
import Runner
import Testing
import Traces

@Suite("Test vectors") struct TestVectorTests {
  /// Keys 0 1 2 0 3 1 at capacity 2: LRU evicts 0, 1, 2, 0.
  private func stream(_ keys: [UInt64] = [5, 6, 7, 5, 8, 6]) throws -> RequestStream {
    var builder = TraceBuilder(name: "t", format: "plain", keys: .integer)
    for key in keys { try builder.append(key: key) }
    return RequestStream(try builder.finish())
  }

  private func choice(_ text: String) throws -> PolicyChoice {
    try #require(PolicyChoice.parse([text]).first)
  }

  private func vector(
    _ policy: String = "lru", keepsSequence: Bool = false
  ) throws -> TestVector {
    try TestVector(
      recording: choice(policy), over: stream(), capacity: 2, keepsSequence: keepsSequence)
  }

  @Test func hashIsFNV1a() {
    // Of the bytes "foob", as the number that they are in little-endian.
    var hash = EvictionHash()
    #expect(hash.text == "cbf29ce484222325")
    hash.add(0x626F_6F66)
    #expect(hash.text == "dd120e790c2512af")
    #expect(EvictionHash(hash.text) == hash)
    #expect(EvictionHash("xyz") == nil && EvictionHash("") == nil)
  }

  @Test func vectorSaysWhatThePolicyDid() throws {
    let vector = try vector(keepsSequence: true)
    #expect(vector.hits == 0)
    #expect(vector.sequence == [0, 1, 2, 0])
    #expect(vector.checkpoints.map(\.evictions) == [1, 2, 3, 4])
    // printf '0 1 2 0 3 1' as 32-bit little-endian numbers | sha256sum
    #expect(
      vector.requestsDigest
        == "30dfe909b06f8c5df9f15543339fa457bcd82518b1b2e9c3ab66d49116c4ff5a")
  }

  @Test func documentReadsBackWhatWasWritten() throws {
    let vectors = [
      try vector(), try vector("slru:protected=0.5", keepsSequence: true),
    ]
    let text = TestVectorDocument.text(vectors)
    #expect(try TestVectorDocument.read(text.utf8, file: "v.json") == vectors)
  }

  @Test func policyAgreesWithItsOwnVector() throws {
    for keepsSequence in [false, true] {
      let vector = try vector(keepsSequence: keepsSequence)
      #expect(try vector.divergence(of: choice("lru"), over: stream()) == nil)
    }
  }

  @Test func firstDivergenceIsFound() throws {
    // MRU evicts 1, 2, 3: it hits at the fourth request.
    let here = try choice("mru")
    #expect(
      try vector(keepsSequence: true).divergence(of: here, over: stream())
        == .eviction(number: 1, request: 3, here: 1, vector: 0))
    #expect(
      try vector().divergence(of: here, over: stream())
        == .evictions(after: 0, upTo: 1, request: 3))
  }

  @Test func evictionsThatAreMissingOrTooManyAreFound() throws {
    var vector = try vector()
    vector.checkpoints.removeLast()
    #expect(
      try vector.divergence(of: choice("lru"), over: stream())
        == .eviction(number: 4, request: 6, here: 0, vector: nil))
    vector.checkpoints = [TestVector.Checkpoint(evictions: 9, hash: EvictionHash())]
    #expect(
      try vector.divergence(of: choice("lru"), over: stream())
        == .evictions(after: 0, upTo: 9, request: 3))
  }

  @Test func otherTracesAndOtherHitsAreFound() throws {
    let lru = try choice("lru")
    var vector = try vector()
    #expect(
      try vector.divergence(of: lru, over: stream([5, 6])) == .shortTrace(requests: 2))
    guard case .otherRequests = try vector.divergence(of: lru, over: stream([5, 6, 7, 5, 8, 5]))
    else {
      Issue.record("another trace was taken for this one")
      return
    }
    vector.hits = 3
    #expect(try vector.divergence(of: lru, over: stream()) == .hits(here: 0))
  }

  @Test(arguments: [
    (#""evictions": 4"#, #""evictions": 5"#, "“evictions” of entry 1 of “vectors”"),
    (#""hits": 0"#, #""hits": "x""#, "“hits” of entry 1 of “vectors” is not a whole number"),
    (#"[1, ""#, #"[1, "z"#, "“checkpoints” of entry 1"),
    (#"[1, ""#, #"[7, ""#, "in the order of their evictions"),
    (#""lru""#, #""lru:x""#, "“policy” of entry 1"),
  ])
  func brokenDocumentIsRefused(_ part: String, _ other: String, _ message: String) throws {
    let text = TestVectorDocument.text([try vector()])
    let broken = text.replacing(part, with: other)
    #expect(text != broken)
    let error = #expect(throws: ResultSetError.self) {
      try TestVectorDocument.read(broken.utf8, file: "v.json")
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}
