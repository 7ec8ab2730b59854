import Parameters

/// A score as a flat program for a stack of numbers: compiled once, run without an allocation.
@usableFromInline
struct ScoreProgram: ~Copyable {
  @usableFromInline
  struct Instruction: BitwiseCopyable {
    @usableFromInline var operation: ScoreOperation
    /// The number that `push` pushes, or that of the attribute that `load` loads.
    @usableFromInline var value: Double
  }

  @usableFromInline let instructions: UnsafeMutablePointer<Instruction>
  @usableFromInline let count: Int
  /// The attributes by their numbers, and behind them the stack.
  @usableFromInline let memory: UnsafeMutablePointer<Double>

  /// Compiles an expression.
  init(_ expression: ScoreExpression) {
    var program: [Instruction] = []
    var depth = 0
    ScoreProgram.compile(expression, into: &program, at: 0, depth: &depth)
    count = program.count
    instructions = .allocate(capacity: count)
    instructions.initialize(from: program, count: count)
    memory = .allocate(capacity: ScoreAttribute.allCases.count + depth)
    memory.initialize(repeating: 0, count: ScoreAttribute.allCases.count + depth)
  }

  @usableFromInline
  deinit {
    instructions.deallocate()
    memory.deallocate()
  }

  private static func compile(
    _ expression: ScoreExpression, into program: inout [Instruction], at level: Int,
    depth: inout Int
  ) {
    depth = max(depth, level + 1)
    switch expression {
    case .number(let value): program.append(Instruction(operation: .push, value: value))
    case .attribute(let attribute):
      program.append(Instruction(operation: .load, value: Double(attribute.rawValue)))
    case .call(let operation, let operands):
      for (place, operand) in operands.enumerated() {
        compile(operand, into: &program, at: level + place, depth: &depth)
      }
      program.append(Instruction(operation: operation, value: 0))
    }
  }

  /// Sets an attribute for the next run.
  @inlinable @inline(__always)
  mutating func set(_ attribute: ScoreAttribute, _ value: Double) {
    memory[Int(attribute.rawValue)] = value
  }

  /// Runs the program. What is not a number counts as less than any.
  @usableFromInline
  mutating func run() -> Double {
    var top = memory + ScoreAttribute.allCases.count - 1
    for index in 0..<count {
      let instruction = instructions[index]
      switch instruction.operation {
      case .push:
        top += 1
        top.pointee = instruction.value
      case .load:
        top += 1
        top.pointee = memory[Int(instruction.value)]
      case .negate: top.pointee = -top.pointee
      case .abs: top.pointee = Swift.abs(top.pointee)
      case .sqrt: top.pointee = top.pointee.squareRoot()
      case .log: top.pointee = ScoreProgram.log(top.pointee)
      case .exp: top.pointee = PortableMath.exp(top.pointee)
      case .choose:
        top -= 2
        top.pointee = top[0] != 0 ? top[1] : top[2]
      default:
        top -= 1
        top.pointee = ScoreProgram.combine(instruction.operation, top[0], top[1])
      }
    }
    return top.pointee.isNaN ? -.infinity : top.pointee
  }

  private static func log(_ x: Double) -> Double {
    if x.isNormal && x > 0 { return PortableMath.log(x) }
    return x == .infinity ? x : x >= 0 ? -.infinity : .nan
  }

  @inline(__always)
  private static func combine(
    _ operation: ScoreOperation, _ left: Double, _ right: Double
  ) -> Double {
    switch operation {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .min: Swift.min(left, right)
    case .max: Swift.max(left, right)
    case .less: left < right ? 1 : 0
    case .lessOrEqual: left <= right ? 1 : 0
    case .equal: left == right ? 1 : 0
    default: preconditionFailure("an operation of two numbers")
    }
  }
}
