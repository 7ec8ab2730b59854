import Eviction
import Foundation
import Parameters
import Testing

@Suite("The policy catalog")
struct PolicyCatalogTests {
  @Test("lists every file of the policies' folder")
  func everyFileIsRegistered() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().appending(
      path: "../../../Sources/Eviction/Policies")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.standardized.path)
    // S3-FIFO, the policy of a cache that names none, and LRU are in the core.
    let policies =
      ["LRU", "S3FIFO"]
      + files.filter { $0.hasSuffix(".swift") && !$0.contains("+") }
      .map { String($0.dropLast(".swift".count)) }
    #expect(policies.count >= 7)
    // A page names its file, or one beside it: Eviction/LIRS+Information.swift.
    // Learned policies have a target of their own.
    let names = PolicyCatalog.all.filter { !$0.file.hasPrefix("Learned/") }.map { policy in
      String(policy.file.split(separator: "/").last?.prefix { $0 != "+" && $0 != "." } ?? "")
    }
    #expect(Set(names) == Set(policies), "each file bears its policy's name and is listed")
    #expect(names.count == policies.count, "and each is there once")
  }

  @Test("says how to get a learned policy where the trait is off")
  func learnedPoliciesAreNamed() {
    let error = PolicyError.unknown(name: "lrb", known: ["lru"])
    #expect("\(error)".contains("install libxgboost-dev"))
    #expect("\(error)".contains("--traits Lab,Learned"))
    #if Learned
      #expect(PolicyCatalog.all.contains { $0.name == "lrb" })
    #else
      #expect(throws: PolicyError.self) { try PolicyCatalog.policy(named: "lrb") }
    #endif
  }

  @Test("gives every policy a name of its own, in lower case, and says what help needs")
  func namesAreUnique() {
    let all = PolicyCatalog.all
    #expect(Set(all.map(\.name)).count == all.count)
    for policy in all {
      #expect(policy.name == policy.name.lowercased())
      #expect(!policy.summary.isEmpty && !policy.paper.isEmpty)
      #expect(policy.minimumCapacity >= 1 && policy.bytesPerSlot > 0)
      for parameter in policy.parameters {
        #expect(!parameter.help.isEmpty)
        if let value = parameter.defaultValue {
          #expect(parameter.parse("\(value)") == value, "\(policy.name): \(parameter.name)")
        }
      }
    }
  }

  @Test("has one policy for each baseline", arguments: PolicyInformation.Baseline.allCases)
  func everyBaselineIsOnePolicy(_ baseline: PolicyInformation.Baseline) throws {
    let policies = PolicyCatalog.all.filter { $0.baselines[baseline] != nil }
    let policy = try #require(policies.first)
    let specification = try #require(policy.baselines[baseline])
    #expect(policies.count == 1)
    #expect(specification.name == policy.name)
    let arguments = try specification.arguments(for: policy.parameters)
    #expect(policy.mayRefuse(arguments) == (baseline == .bypassingOptimum))
  }

  @Test("has variants that are other forms of the policy that lists them")
  func variantsAreForms() throws {
    #expect(PolicyCatalog.all.contains { !$0.variants.isEmpty })
    for policy in PolicyCatalog.all {
      for variant in policy.variants {
        #expect(variant.name == policy.name)
        #expect(try !variant.arguments(for: policy.parameters).given.isEmpty)
      }
    }
  }
}
