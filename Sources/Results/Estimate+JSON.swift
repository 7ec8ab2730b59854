import Parameters

extension Estimand: JSONValue {}

extension Estimate: Documented {
  package static let blank = Estimate(.blank, of: .seeds)
  package static let fields: [Field<Estimate>] = [
    Field("trace", \.trace, "the trace's name"),
    Field("policy", \.policy, "the policy with its parameters, and the system it runs in"),
    Field("against", \.against, "the policy whose hit ratio is taken off"),
    Field("capacity", \.capacity, .from(0), "the capacity, in `unit`"),
    Field("unit", \.unit, "what the capacity counts"),
    Field("estimand", \.estimand, "what the interval is about"),
    Field("value", \.value, "the hit ratio, or by how much it is above the other one"),
    .constant("confidence", confidence, "the confidence of the interval"),
    Field("interval", \.interval, "what holds the estimand with that confidence"),
    Field("samples", \.samples, "the seeds, or blocks of the trace, of the interval"),
    Field("blockRequests", \.blockRequests, "requests of a block, on average"),
    Field("evictionAge", \.evictionAge, "requests that pass while an object stays in the cache"),
    Field("stationary", \.isStationary, "the traffic stays the same along the trace"),
    Field("reason", \.reason, "why there is no interval"),
  ]
}
