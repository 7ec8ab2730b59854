import Eviction
import Parameters

/// Runs a policy over requests that a workload cannot make, with the words of ``outcome(of:capacity:_:)``;
/// slot 0 is a.
@_semantics("optimize.sil.specialize.generic.never")
func outcome<Policy: ReplacementPolicy & ~Copyable>(
  of type: Policy.Type, _ parameters: String = "", capacity: Int, _ requests: [Request]
) throws -> String {
  let name = Policy.information.name
  let specification = try Specification(
    parsing: parameters.isEmpty ? name : "\(name):\(parameters)")
  let arguments = try specification.arguments(for: Policy.information.parameters)
  var policy = try Policy(PolicyConfiguration(capacity: capacity, slots: 26, arguments: arguments))
  var host = PlainHost(capacity: capacity)
  let outcomes = requests.map { request in
    var mark = "+"
    if policy.contains(request.slot) {
      policy.hit(request, host: &host)
    } else if policy.insert(request, host: &host) {
      host.sizes[request.slot] = request.size
      mark = "."
    } else {
      mark = "x"
    }
    defer { host.victims = "" }
    return mark + host.victims
  }
  return outcomes.joined(separator: " ")
}

/// The account of the residents' sizes, and the victims of the current request.
private struct PlainHost: SlotHost, ~Copyable {
  let capacity: Int
  var sizes: [Slot: Int] = [:]
  var victims = ""

  init(capacity: Int) { self.capacity = capacity }

  func hasRoom(for request: Request) -> Bool {
    sizes.values.reduce(request.size, +) <= capacity
  }

  func size(of slot: Slot) -> Int { sizes[slot] ?? 0 }

  mutating func didEvict(_ slot: Slot) {
    sizes[slot] = nil
    victims.append(Character(UnicodeScalar(97 + UInt8(slot))))
  }

  mutating func didForget(_ slot: Slot) {}
}
