import Parameters
import Requests
import Results
import Runner
import Simulation
import Testing
import Traces

/// The attributes of requests beyond their keys and sizes reach the policies that need them.
@Suite("Simulated policies see costs, expiries and key lengths")
struct RequestFieldsTests {
  static func count(_ policy: String, capacity: Int = 2, _ text: String) throws -> RequestCounts {
    let trace = try TraceLoader.load(bytes: Array(text.utf8), name: "fields.csv", columns: .all)
    let specification = try Specification(parsing: policy)
    let entry = try PolicyChoice.entry(
      named: specification.name, among: RunnablePolicyEntry.catalog)
    let stream = RequestStream(trace, needs: entry.needs)
    #expect(entry.needs.isSubset(of: stream.offers))
    let options = RunOptions(
      capacity: capacity, arguments: try entry.description.arguments(of: specification))
    return try #require(try entry.simulator.run(stream, options: SimulationOptions(options)))
  }

  @Test("Costs", arguments: ["gdsf", "gd-wheel", "camp"])
  func costs(policy: String) throws {
    // b is the cheapest when c comes, and a the least recently used
    let counts = try Self.count(policy, "key,cost\na,9\nb,1\nc,2\na,9\n")
    #expect(counts.hits == 1)
    #expect(counts.cost == 21 && counts.costHits == 9)
  }

  @Test("Without costs, every miss costs the same", arguments: ["gdsf", "gd-wheel", "camp", "lru"])
  func noCosts(policy: String) throws {
    #expect(try Self.count(policy, "key\na\nb\nc\nb\na\n").hits == 1)
  }

  @Test("A read leaves an object's expiry as it is, a write moves it")
  func expiries() throws {
    // a until 10; c makes room at 6
    let reads = "key,time,ttl\na,0,10\nb,1,30\na,5,100\nc,6,50\nb,7,30\n"
    #expect(try Self.count("expire-soonest", reads).hits == 2)
    // a until 105 by then
    let writes = "key,time,ttl,op\na,0,10,get\nb,1,30,get\na,5,100,set\nc,6,50,get\nb,7,30,get\n"
    #expect(try Self.count("expire-soonest", writes).hits == 0)
    #expect(try Self.count("expire-latest", writes).hits == 1)
    // b has expired when c comes, and a is the least recently used
    #expect(try Self.count("tlru", "key,time,ttl\na,0,90\nb,1,2\nc,6,50\na,7,90\n").hits == 1)
  }

  @Test("Classes, as layers")
  func classes() throws {
    // When d comes, in the third pass, b is behind and e, which was used longest ago, ahead.
    let text = "key,class\na,x\nb,y\ne,z\na,x\nb,y\na,x\nd,z\ne,z\n"
    #expect(try Self.count("lru", capacity: 3, text).hits == 3)
    #expect(try Self.count("least-stale", capacity: 3, text).hits == 4)
  }

  @Test("Key lengths")
  func keyLengths() throws {
    let text = "key\nb\naaaa\ncc\nb\n"
    #expect(try Self.count("key-length", text).hits == 1)
    #expect(try Self.count("key-length:order=shortest", text).hits == 0)
  }
}
