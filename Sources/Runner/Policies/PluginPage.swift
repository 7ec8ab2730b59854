import CEvictionLab
import EvictionCore
import Parameters

/// A fault of what a plug-in says of itself.
enum PluginPageError: Error, CustomStringConvertible {
  case missing(String)
  case wrong(String, String)

  var description: String {
    switch self {
    case .missing(let member): "lacks \(member), which evictionlab_policy.h asks of every policy"
    case .wrong(let member, let problem): "\(member) \(problem)"
    }
  }
}

extension PolicyInformation {
  /// The page of a plug-in, as its table has it.
  init(_ policy: evl_policy, name: String) throws(PluginPageError) {
    let functions: [(String, Bool)] = [
      ("create", policy.create == nil), ("destroy", policy.destroy == nil),
      ("hit", policy.hit == nil), ("insert", policy.insert == nil),
      ("evict", policy.evict == nil), ("remove", policy.remove == nil),
      ("summary", policy.summary == nil),
    ]
    if let missing = functions.first(where: \.1) { throw .missing(missing.0) }
    let flags = UInt32(EVL_HITS_REORDER | EVL_MAY_REFUSE | EVL_PASSES_OVER_PINNED)
    if policy.flags & ~flags != 0 { throw .wrong("flags", "has unknown bits: \(policy.flags)") }
    if policy.needs >= 64 { throw .wrong("needs", "has unknown bits: \(policy.needs)") }
    guard (0...1 << 40).contains(policy.minimum_capacity) else {
      throw .wrong("minimum_capacity", "is \(policy.minimum_capacity); give 0 to 2^40")
    }
    guard (0...1 << 20).contains(policy.bytes_per_slot) else {
      throw .wrong("bytes_per_slot", "is \(policy.bytes_per_slot); give 0 to 2^20")
    }
    let mayRefuse = policy.flags & UInt32(EVL_MAY_REFUSE) != 0
    self.init(
      name: name, summary: String(cString: policy.summary),
      paper: policy.paper.map { String(cString: $0) } ?? "–", ghosts: "",
      parameters: try Parameter.declared(by: policy),
      minimumCapacity: max(1, Int(policy.minimum_capacity)),
      bytesPerSlot: Int(policy.bytes_per_slot) + 1,
      isBound: policy.needs & UInt32(EVL_NEEDS_NEXT_USE) != 0,
      hitsReorder: policy.flags & UInt32(EVL_HITS_REORDER) != 0,
      mayRefuse: { _ in mayRefuse }, file: name)
  }
}

extension Parameter {
  fileprivate static func declared(by policy: evl_policy) throws(PluginPageError) -> [Parameter] {
    if policy.parameter_count > 64 {
      throw .wrong("parameter_count", "is \(policy.parameter_count); give at most 64")
    }
    if policy.parameter_count > 0 && policy.parameters == nil { throw .missing("parameters") }
    var all: [Parameter] = []
    for index in 0..<Int(policy.parameter_count) {
      let parameter = try Parameter(policy.parameters[index], number: index)
      if all.contains(where: { $0.name == parameter.name }) {
        throw .wrong("parameter \(parameter.name)", "is declared twice")
      }
      all.append(parameter)
    }
    return all
  }

  private init(_ declared: evl_parameter, number: Int) throws(PluginPageError) {
    guard let name = declared.name.map({ String(cString: $0) }), !name.isEmpty,
      name.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isNameLike })
    else {
      throw .wrong("parameter \(number)", "has no name of lower-case letters, digits and hyphens")
    }
    let help = declared.help.map { String(cString: $0) } ?? ""
    let (least, most) = (declared.least, declared.most)
    let value = declared.default_value
    if declared.kind != UInt32(EVL_FLAG) && !(least <= value && value <= most) {
      throw .wrong("parameter \(name)", "has a default of \(value), outside \(least)…\(most)")
    }
    switch declared.kind {
    case UInt32(EVL_WHOLE):
      guard let range = [least, value, most].map(Int.init(exactly:)).unwrapped() else {
        throw .wrong("parameter \(name)", "is whole, and its default or range is not")
      }
      self.init(
        name, .integer(in: range[0]...range[2]), default: .integer(range[1]), help: help)
    case UInt32(EVL_NUMBER):
      guard
        let range = [least, value, most].map({ Fraction(parsing: "\($0)") }).unwrapped()
      else {
        throw .wrong(
          "parameter \(name)", "has a default or range that is negative or has too many digits")
      }
      self.init(
        name, .fraction(in: range[0]...range[2]), default: .fraction(range[1]), help: help)
    case UInt32(EVL_FLAG):
      self.init(name, .flag, default: .flag(value != 0), help: help)
    default: throw .wrong("parameter \(name)", "has kind \(declared.kind)")
    }
  }
}

extension Character {
  fileprivate var isNameLike: Bool { isASCII && (isLowercase || isNumber) }
}

extension Array {
  /// The values, if none is nil.
  fileprivate func unwrapped<Value>() -> [Value]? where Element == Value? {
    contains { $0 == nil } ? nil : compactMap { $0 }
  }
}
