/// The effect of a Redis command on keys.
struct RedisCommand: Sendable, BitwiseCopyable {
  /// The arguments that are keys.
  enum Keys: BitwiseCopyable {
    case first, all, alternating
    /// The first takes the second as its name.
    case renamed
  }

  /// The effect on the time at which a key expires.
  enum Lifetime: BitwiseCopyable {
    /// It stays.
    case kept
    /// The key lives for ever from now on.
    case cleared
    /// It is told by the argument after the key, in units of that number of nanoseconds, as the end itself where it
    /// `isTime`.
    case argument(unit: Int64, isTime: Bool)
  }

  /// The argument that is a value.
  enum Value: BitwiseCopyable {
    case none
    /// The whole object.
    case object
    /// The object in another form.
    case form
  }

  private enum Option: BitwiseCopyable {
    case expiry(unit: Int64, isTime: Bool)
    case keep, persist
    /// Given times are ends.
    case isTime
    case ifAbsent, ifPresent, ifLater, ifEarlier
  }

  private static let options = Words<Option>([
    (.expiry(unit: .second, isTime: false), "ex"), (.ifAbsent, "nx"), (.ifPresent, "xx"),
    (.expiry(unit: .millisecond, isTime: false), "px"),
    (.expiry(unit: .second, isTime: true), "exat"),
    (.expiry(unit: .millisecond, isTime: true), "pxat"),
    (.keep, "keepttl"), (.persist, "persist"), (.isTime, "absttl"),
    (.ifLater, "gt"), (.ifEarlier, "lt"),
  ])

  let operation: TraceOperation
  let keys: Keys
  private let lifetime: Lifetime
  private let value: Value
  private let hasOptions: Bool
  private let after: TraceOperation?

  private init(
    _ operation: TraceOperation, _ keys: Keys = .first, _ lifetime: Lifetime = .kept,
    value: Value = .none, hasOptions: Bool = false, after: TraceOperation? = nil
  ) {
    self.operation = operation
    self.keys = keys
    self.lifetime = lifetime
    self.value = value
    self.hasOptions = hasOptions
    self.after = after
  }

  /// The end of a key's time to live.
  struct KnownEnd: Equatable {
    var time: Int64
    /// True if the log shows that the key was there when it was given: after a write that cannot be refused.
    var isCertain: Bool
  }

  /// The effect of a command on one of its keys.
  struct Outcome {
    var operation: TraceOperation
    /// True where Redis refuses the command: then nothing changes.
    var isRefused = false
    /// The object's bytes.
    var size: UInt64 = Trace.unknownSize
    /// The time at which the key expires from now on; nil for never.
    var end: KnownEnd?
    /// The request that follows the read of a key.
    var after: TraceOperation?
  }

  /// The effect of the command on the key whose argument was taken last; nil when its time to live is
  /// missing or no number.
  ///
  /// - Parameters:
  ///   - line: The arguments that follow.
  ///   - now: The time of the command.
  ///   - previous: The time at which the key would have expired; nil for never, as far as the log tells.
  @inline(__always)
  func outcome(of line: inout MonitorLine, at now: Int64, previous: KnownEnd?) -> Outcome? {
    var outcome = Outcome(operation: operation, end: previous, after: after)
    var given: Int64?
    var isEnd = false
    let isRefused = operation == .add && previous?.isCertain == true
    switch lifetime {
    case .kept: break
    case .cleared: if !isRefused { outcome.end = nil }
    case .argument(let unit, let isTime):
      guard let time = line.next()?.lifetime(unit: unit) else { return nil }
      (given, isEnd) = (time, isTime)
    }
    if value != .none {
      let text = line.next()
      if value == .object && !isRefused, let text { outcome.size = text.unescapedLength }
    }
    if hasOptions {
      return withOptions(of: &line, outcome, given, isEnd: isEnd, at: now, previous: previous)
    }
    if let given { expire(&outcome, given, isEnd: isEnd, at: now, isCertain: true) }
    return outcome
  }

  @inline(never)
  private func withOptions(
    of line: inout MonitorLine, _ plain: Outcome, _ argument: Int64?, isEnd: Bool, at now: Int64,
    previous: KnownEnd?
  ) -> Outcome? {
    var (outcome, given, isEnd) = (plain, argument, isEnd)
    var (isFree, isTaken, isLater, isEarlier) = (false, false, false, false)
    while let word = line.next() {
      switch Self.options[word] {
      case .expiry(let unit, let isTime):
        guard let time = line.next()?.lifetime(unit: unit) else { return nil }
        (given, isEnd) = (time, isTime)
      case .persist:
        outcome.end = nil
        outcome.after = .touch
      case .keep: outcome.end = previous
      case .isTime: isEnd = true
      case .ifAbsent: isFree = true
      case .ifPresent: isTaken = true
      case .ifLater: isLater = true
      case .ifEarlier: isEarlier = true
      case nil: break
      }
    }
    let isSet = operation == .set && value == .object
    if isSet { outcome.operation = isFree ? .add : isTaken ? .replace : .set }
    let unchanged = Outcome(operation: outcome.operation, end: previous)
    // A dump's time of 0 is for ever.
    if let given {
      if given == 0 && value == .form {
        outcome.end = nil
      } else {
        let isWritten = operation == .set && !isTaken
        expire(
          &outcome, given, isEnd: isEnd, at: now,
          isCertain: isWritten || previous?.isCertain == true)
      }
    }
    // Whether a key without a time to live is there, the log does not say.
    let end = outcome.operation == .delete ? now : outcome.end?.time ?? .max
    let before = previous?.time ?? .max
    let isThere = isSet ? previous?.isCertain == true : previous != nil
    let isKept =
      isFree && isThere || !isSet && isTaken && previous == nil
      || isLater && end <= before || isEarlier && end >= before
    return isKept ? unchanged : outcome
  }

  /// Gives the key a time to live, or an end. One that is over removes the key; where it could never be, Redis refuses the
  /// command unless it only changes a time to live.
  private func expire(
    _ outcome: inout Outcome, _ time: Int64, isEnd: Bool, at now: Int64, isCertain: Bool
  ) {
    if time <= 0 && operation != .touch {
      outcome.isRefused = true
      return
    }
    let (end, isBeyond) = isEnd ? (time, false) : now.addingReportingOverflow(time)
    let isOver = isBeyond ? time < 0 : end <= now
    let isForEver = isBeyond || end == .max
    outcome.end = isOver || isForEver ? nil : KnownEnd(time: end, isCertain: isCertain)
    if operation == .get {
      outcome.after = isOver ? .delete : .touch
    } else if isOver {
      outcome.operation = .delete
    }
  }

  private static func expiring(_ unit: Int64, isTime: Bool) -> RedisCommand {
    RedisCommand(.touch, .first, .argument(unit: unit, isTime: isTime), hasOptions: true)
  }

  private static func setting(_ unit: Int64) -> RedisCommand {
    RedisCommand(.set, .first, .argument(unit: unit, isTime: false), value: .object)
  }

  /// Every command that reads, writes or removes keys which its arguments name one by one.
  static let all = Words<RedisCommand>([
    (
      RedisCommand(.get),
      """
      get getrange substr strlen getbit bitcount bitpos type dump \
      hget hmget hgetall hexists hkeys hvals hlen hstrlen hscan hrandfield \
      lrange lindex llen lpos smembers sismember smismember scard srandmember sscan \
      zrange zrevrange zrangebyscore zrevrangebyscore zrangebylex zrevrangebylex zscore zmscore \
      zrank zrevrank zcard zcount zlexcount zscan zrandmember xrange xrevrange xlen \
      geopos geodist geohash geosearch
      """
    ),
    (RedisCommand(.get, hasOptions: true), "getex"),
    (RedisCommand(.get, .all), "mget exists touch sinter sunion sdiff pfcount"),
    (RedisCommand(.set, .first, .cleared, value: .object, hasOptions: true), "set"),
    (
      RedisCommand(.set),
      """
      setrange setbit bitfield incrbyfloat \
      hset hsetnx hmset hdel hincrby hincrbyfloat lpush rpush lpop rpop linsert lset lrem ltrim \
      sadd srem spop zadd zrem zincrby zpopmin zpopmax zremrangebyrank zremrangebyscore \
      zremrangebylex xadd xdel xtrim pfadd geoadd
      """
    ),
    (RedisCommand(.set, .first, .cleared, value: .object), "getset"),
    (RedisCommand(.add, .first, .cleared, value: .object), "setnx"),
    (RedisCommand(.replace), "lpushx rpushx"),
    (RedisCommand(.append), "append"),
    (RedisCommand(.increment), "incr incrby"),
    (RedisCommand(.decrement), "decr decrby"),
    (RedisCommand(.get, .first, .cleared, after: .delete), "getdel"),
    (RedisCommand(.delete, .all, .cleared), "del unlink"),
    (RedisCommand(.set, .renamed), "rename"),
    (RedisCommand(.add, .renamed), "renamenx"),
    (RedisCommand(.set, .alternating, .cleared, value: .object), "mset"),
    (RedisCommand(.add, .alternating, .cleared, value: .object), "msetnx"),
    (setting(.second), "setex"),
    (setting(.millisecond), "psetex"),
    (
      RedisCommand(
        .set, .first, .argument(unit: .millisecond, isTime: false), value: .form, hasOptions: true),
      "restore"
    ),
    (RedisCommand(.touch, .first, .cleared), "persist"),
    (expiring(.second, isTime: false), "expire"),
    (expiring(.millisecond, isTime: false), "pexpire"),
    (expiring(.second, isTime: true), "expireat"),
    (expiring(.millisecond, isTime: true), "pexpireat"),
  ])
}

extension UnsafeRawBufferPointer {
  /// A whole number of units of time in nanoseconds; the largest or smallest where it does not fit. Nil for other texts.
  fileprivate func lifetime(unit: Int64) -> Int64? {
    guard let number = duration(unit: 1) else { return nil }
    let (time, isBeyond) = number.multipliedReportingOverflow(by: unit)
    return isBeyond ? (number < 0 ? .min : .max) : time
  }
}
