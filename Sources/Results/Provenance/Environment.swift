import CInline
import Parameters

/// The time, the machine and the program of a measurement.
package struct Environment: Documented {
  package var version = ""
  /// Nil when unknown.
  package var commit: String?
  package var toolchain = ""
  package var os = ""
  package var cpu = ""
  package var cores = 0
  package var date = ""
  /// The kind of processor, as compilers name it; empty when unknown.
  package var architecture = ""
  /// Nil when there was none.
  package var command: String?
  package var build: String?
  package var others: [String] = []

  package init() {}

  package static let fields: [Field<Environment>] = [
    Field("version", \.version, "the version of this project", .descriptive),
    Field("commit", \.commit, "the commit it was built from", .descriptive),
    Field("toolchain", \.toolchain, "the compiler", .descriptive),
    Field("os", \.os, "the operating system", .descriptive),
    Field("cpu", \.cpu, "the processor", .descriptive),
    Field("cores", \.cores, "the cores that could be used", .descriptive),
    Field("date", \.date, "the date and time, in ISO 8601", .descriptive),
    Field(
      "architecture", \.readArchitecture, "the kind of processor; empty if unknown", .descriptive),
    .omittable("command", \.command, "the command line", .descriptive),
    .omittable(
      "build", \.build, "the build of the program: its build-id, else a checksum", .descriptive),
    .omittable(
      "others", \.others, "other programs and machines that measured results in it", .descriptive),
  ]

  /// The architecture, which older documents lack.
  private var readArchitecture: String? {
    get { architecture }
    set { architecture = newValue ?? "" }
  }
}

extension Environment {
  /// The facts of the program: one that differs in any may count differently.
  private var programFacts: [String?] { [version, commit, build, toolchain, architecture] }

  private var machineFacts: [String] { [cpu, "\(cores)", os, architecture] }

  /// Returns true if the same program measured here and there.
  package func hasProgram(of other: Environment) -> Bool { programFacts == other.programFacts }

  /// Returns true if times measured on the one machine compare with those of the other.
  package func hasMachine(of other: Environment) -> Bool { machineFacts == other.machineFacts }

  /// The program in words: `0.1.0 (commit 92576416, build 9acc5d0702db, Swift 6.3.1, x86_64)`.
  package var program: String {
    let facts = [
      commit.map { "commit \($0)" }, "build \(build.map { String($0.prefix(12)) } ?? "unknown")",
      toolchain, architecture,
    ]
    return "\(version) (\(facts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")))"
  }

  /// The machine in words.
  package var machine: String { "\(cpu), \(cores) cores, \(os)" }

  /// Notes that results of another environment stand in the same document.
  package mutating func add(_ other: Environment) {
    let differs = !hasProgram(of: other) || !hasMachine(of: other)
    let found = other.others + (differs ? ["\(other.program) on \(other.machine)"] : [])
    others = Set(others + found).subtracting(["\(program) on \(machine)"]).sorted()
  }
}

extension Environment {
  /// This project's version.
  package static let currentVersion = "0.1.0"

  /// This machine, now. The commit is what the variable `EVICTIONLAB_COMMIT` says.
  package static var current: Environment {
    let commit = getenv("EVICTIONLAB_COMMIT").map { String(cString: $0) } ?? ""
    return Environment {
      $0.version = currentVersion
      $0.commit = commit.isEmpty ? nil : commit
      $0.toolchain = compiler
      $0.os = system
      $0.cpu = processorName
      $0.cores = evl_processor_count()
      $0.date = now
      $0.architecture = processorKind
      $0.build = Executable.identity
    }
  }

  /// The time, in ISO 8601.
  private static var now: String {
    var (seconds, parts) = (time(nil), tm())
    gmtime_r(&seconds, &parts)
    return String(unsafeUninitializedCapacity: 32) {
      $0.withMemoryRebound(to: CChar.self) {
        strftime($0.baseAddress, $0.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
      }
    }
  }

  private static var processorKind: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      ""
    #endif
  }

  /// With its patch version, where results are compared: another one makes other instructions.
  private static var compiler: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3.4)
      "Swift 6.3.4 or later"
    #elseif compiler(>=6.3.3)
      "Swift 6.3.3"
    #elseif compiler(>=6.3.2)
      "Swift 6.3.2"
    #elseif compiler(>=6.3.1)
      "Swift 6.3.1"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #elseif compiler(>=6.2)
      "Swift 6.2"
    #else
      "Swift 6.1"
    #endif
  }

  private static var system: String {
    #if os(Linux)
      SystemFacts.read("/etc/os-release", separator: "=")["PRETTY_NAME"] ?? "Linux"
    #else
      "macOS \(systemFact("kern.osproductversion") ?? "")"
    #endif
  }

  private static var processorName: String {
    #if os(Linux)
      SystemFacts.read("/proc/cpuinfo", separator: ":")["model name"] ?? "unknown"
    #else
      systemFact("machdep.cpu.brand_string") ?? "unknown"
    #endif
  }

  #if !os(Linux)
    private static func systemFact(_ name: String) -> String? {
      var size = 0
      sysctlbyname(name, nil, &size, nil, 0)
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  #endif
}
