/// The effect of a Redis command on keys.
struct RedisCommand: Sendable, BitwiseCopyable {
  /// The arguments that are keys.
  enum Keys: BitwiseCopyable { case first, all, alternating }

  /// The place of a time to live.
  enum Expiry: BitwiseCopyable {
    /// Nowhere.
    case none
    /// Among the options after the value, as for SET.
    case options
    /// In the argument after the key, in units of that number of nanoseconds; it is the time of the end
    /// where it `isTime`.
    case argument(unit: Int64, isTime: Bool)
  }

  /// The request that a command turns out to be.
  struct Outcome {
    var operation: TraceOperation
    var ttl: Int64 = 0
  }

  private enum Option: BitwiseCopyable {
    case expiry(unit: Int64, isTime: Bool)
    case ifAbsent
    case ifPresent
  }

  private static let options = Words<Option>([
    (.expiry(unit: .second, isTime: false), "ex"), (.ifAbsent, "nx"), (.ifPresent, "xx"),
    (.expiry(unit: .millisecond, isTime: false), "px"),
    (.expiry(unit: .second, isTime: true), "exat"),
    (.expiry(unit: .millisecond, isTime: true), "pxat"),
  ])

  let operation: TraceOperation
  let keys: Keys
  private let expiry: Expiry

  private init(_ operation: TraceOperation, _ keys: Keys = .first, _ expiry: Expiry = .none) {
    self.operation = operation
    self.keys = keys
    self.expiry = expiry
  }

  /// The effect of the command on the key whose argument was taken last; nil when its time to live is
  /// missing or no number. A time to live that is over removes the key.
  @inline(__always)
  func outcome(of line: inout MonitorLine, at now: Int64) -> Outcome? {
    switch expiry {
    case .none: return Outcome(operation: operation)
    case .argument(let unit, let isTime):
      return expiring(operation, line.next(), unit, isTime, now)
    case .options:
      // The value.
      _ = line.next()
      var outcome = Outcome(operation: operation)
      while let word = line.next() {
        switch Self.options[word] {
        case .ifAbsent: outcome.operation = .add
        case .ifPresent: outcome.operation = .replace
        case .expiry(let unit, let isTime):
          guard let expiring = expiring(outcome.operation, line.next(), unit, isTime, now) else {
            return nil
          }
          outcome = expiring
        case nil: break
        }
      }
      return outcome
    }
  }

  private func expiring(
    _ operation: TraceOperation, _ text: UnsafeRawBufferPointer?, _ unit: Int64, _ isTime: Bool,
    _ now: Int64
  ) -> Outcome? {
    guard let given = text?.duration(unit: unit) else { return nil }
    let (ttl, isOver) = given.subtractingReportingOverflow(isTime ? now : 0)
    if isOver { return nil }
    return ttl > 0 ? Outcome(operation: operation, ttl: ttl) : Outcome(operation: .delete)
  }

  /// Every command that reads, writes or removes keys which its arguments name one by one.
  static let all = Words<RedisCommand>([
    (
      RedisCommand(.get),
      """
      get getex getrange substr strlen getbit bitcount bitpos type dump \
      hget hmget hgetall hexists hkeys hvals hlen hstrlen hscan hrandfield \
      lrange lindex llen lpos smembers sismember smismember scard srandmember sscan \
      zrange zrevrange zrangebyscore zrevrangebyscore zrangebylex zrevrangebylex zscore zmscore \
      zrank zrevrank zcard zcount zlexcount zscan zrandmember xrange xrevrange xlen \
      geopos geodist geohash geosearch
      """
    ),
    (RedisCommand(.get, .all), "mget exists touch sinter sunion sdiff pfcount"),
    (RedisCommand(.set, .first, .options), "set"),
    (
      RedisCommand(.set),
      """
      getset setrange setbit bitfield incrbyfloat \
      hset hmset hdel hincrby hincrbyfloat lpush rpush lpop rpop linsert lset lrem ltrim \
      sadd srem spop zadd zrem zincrby zpopmin zpopmax zremrangebyrank zremrangebyscore \
      zremrangebylex xadd xdel xtrim pfadd geoadd restore
      """
    ),
    (RedisCommand(.add), "setnx hsetnx"),
    (RedisCommand(.replace), "lpushx rpushx persist"),
    (RedisCommand(.append), "append"),
    (RedisCommand(.increment), "incr incrby"),
    (RedisCommand(.decrement), "decr decrby"),
    (RedisCommand(.delete), "getdel"),
    (RedisCommand(.delete, .all), "del unlink"),
    (RedisCommand(.set, .alternating), "mset"),
    (RedisCommand(.add, .alternating), "msetnx"),
    (RedisCommand(.set, .first, .argument(unit: .second, isTime: false)), "setex"),
    (RedisCommand(.set, .first, .argument(unit: .millisecond, isTime: false)), "psetex"),
    (RedisCommand(.replace, .first, .argument(unit: .second, isTime: false)), "expire"),
    (RedisCommand(.replace, .first, .argument(unit: .millisecond, isTime: false)), "pexpire"),
    (RedisCommand(.replace, .first, .argument(unit: .second, isTime: true)), "expireat"),
    (RedisCommand(.replace, .first, .argument(unit: .millisecond, isTime: true)), "pexpireat"),
  ])
}
