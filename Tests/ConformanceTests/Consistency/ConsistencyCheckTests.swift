import CheckedCaches
import Conformance
import Eviction
import Testing

@Suite("The consistency check")
struct ConsistencyCheckTests {
  static let check = ConsistencyCheck(keys: ConsistencyCheck.skewedKeys(64), operations: 50_000)

  /// Returns the findings of a check that goes on until it finds something: for a minute at most.
  static func violations(
    in cache: some InMemoryCache<UInt64, StampedValue>, check: ConsistencyCheck = check,
    expiring: Int = 0
  ) -> [Violation] {
    var check = check
    check.operations = 1 << 40
    check.expiring = expiring
    let end = ContinuousClock.now + .seconds(60)
    return check.run(VerifiableCache(cache)) { _ in ContinuousClock.now < end }.violations
  }

  @Test("finds every kind of fault", arguments: FaultyCache.Fault.allCases)
  func faultIsFound(fault: FaultyCache.Fault) throws {
    let expected: Violation.Kind =
      switch fault {
      case .tornValue, .refusedValue: .torn
      case .otherKeysValue: .anotherKey
      case .inventedValue: .neverWritten
      case .forgottenUpdate, .forgottenRemoval, .forgottenInsertion, .outdatedLoad: .stale
      case .ignoredExpiration: .expired
      }
    let violations = Self.violations(
      in: FaultyCache(fault), expiring: fault == .ignoredExpiration ? 200 : 0)
    #expect(violations.map(\.kind).contains(expected))
  }

  /// The key is written and read all the time, so that no value is ever half a second too old.
  @Test("finds an expired value although another write of its key took long")
  func slowWriterHidesNothing() {
    let violations = Self.violations(
      in: FaultyCache(.ignoredExpiration, stall: (set: 3, microseconds: 500_000)),
      check: ConsistencyCheck(keys: [0], operations: 1), expiring: 1_000)
    #expect(violations.map(\.kind).contains(.expired))
  }

  @Test("tries every operation, whatever the limit of the cache")
  func everyOperationIsTried() throws {
    for limit in [nil, 40] {
      let cache = MemoryCache<UInt64, StampedValue>(countLimit: limit, policy: .lru)
      let outcome = Self.check.run(VerifiableCache(cache))
      #expect(outcome.violations == [])
      #expect(outcome.trims > 500 && outcome.loads > 200)
      #expect(outcome.operations >= 50_000)
    }
  }

  @Test("finds nothing where nothing is wrong, and does what it says")
  func soundCacheIsAccusedOfNothing() {
    var check = Self.check
    check.expiring = 200
    let outcome = check.run(VerifiableCache(FaultyCache(nil)))
    #expect(outcome.violations == [])
    #expect(outcome.operations >= check.operations && outcome.threads == check.threads)
    #expect(outcome.gets > 30_000 && outcome.hits > outcome.gets / 2)
    #expect(outcome.sets > 4_000 && outcome.removals > 500)
    #expect(outcome.expiring > 1_000)
  }

  @Test("finds a lock that was left out")
  func missingLockIsFound() throws {
    let violation = try #require(Self.violations(in: PairedCache(lock: LeftOutLock())).first)
    #expect(violation.kind == .anotherKey)
  }

  @Test(
    "finds nothing in the same cache with its lock",
    arguments: LockCatalog.threadSafe.map { $0.information.name })
  func presentLockIsEnough(name: String) throws {
    let lock = try #require(LockCatalog.lock(named: name))
    var check = Self.check
    check.operations = 5_000
    #expect(check.run(VerifiableCache(PairedCache(lock: lock.init()))).violations == [])
  }

  @Test("stops when it is told to")
  func pollEndsTheCheck() {
    let outcome = Self.check.run(VerifiableCache(FaultyCache(nil))) { $0 < 1_000 }
    #expect(outcome.operations < 2_000 && outcome.violations == [])
  }

  @Test("says in one line what is wrong")
  func violationIsOneLine() {
    let violation = Violation(kind: .stale, key: 7, version: 3, oldestAllowed: 5)
    #expect(
      violation.description
        == "key 7: read an older value after a newer write or a removal was acknowledged: "
        + "version 3; allowed are 5 and newer")
  }
}
