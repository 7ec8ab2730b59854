import AllocationCounter
import Eviction
import Foundation
import Testing

@Suite("Caches that give way to the system")
struct SystemEventsTests {
  func makeCache(
    _ change: (inout MemoryCacheOptions) -> Void
  ) throws -> MemoryCache<Int, Int> {
    var options = MemoryCacheOptions()
    change(&options)
    let cache = MemoryCache<Int, Int>(policy: .fifo, options: options)
    for key in 1...10 { cache.set(key, forKey: key) }
    return cache
  }

  @Test("do under memory pressure and in the background what they were told to")
  func responses() throws {
    let events = SystemEvents()
    let patient = try makeCache { $0.events = events }
    let yielding = try makeCache {
      $0.events = events
      $0.memoryPressure = .trim(to: 0.5)
      $0.background = .removeAll
    }
    events.post(.memoryPressure(.warning))
    #expect(patient.count == 10 && yielding.count == 5)
    #expect((1...10).filter(yielding.contains) == [6, 7, 8, 9, 10])
    events.post(.background)
    #expect(patient.count == 10 && yielding.count == 0)
  }

  @Test(
    "give back what their tables take when they remove everything",
    .enabled(if: allocations_are_counted(), "allocations are not counted on this platform"))
  func memoryComesBack() throws {
    let before = bytes_held_by_this_thread()
    func held() -> Int64 { bytes_held_by_this_thread() - before }
    let events = SystemEvents()
    let cache = try makeCache {
      $0.events = events
      $0.memoryPressure = .removeAll
      $0.expiration = .after(.seconds(1_000))
      $0.tracksAges = true
    }
    func fill() { for key in 0..<20_000 { cache.set(key, forKey: key) } }
    fill()
    let full = held()
    events.post(.memoryPressure(.critical))
    #expect(held() < full / 5, "of \(full) bytes \(held()) are left")
    fill()
    #expect(held() < full + full / 20)
    #expect(cache.count == 20_000 && cache.value(forKey: 19_999) == 19_999)
    #expect(cache.trim(toAge: .zero) == 20_000)
  }

  @Test("may hold the last reference to another observation")
  func observationsThatOwnEachOther() {
    let events = SystemEvents()
    final class Owner: Sendable {
      let observation: SystemEvents.Observation
      init(_ observation: SystemEvents.Observation) { self.observation = observation }
    }
    var outer: SystemEvents.Observation?
    do {
      let owner = Owner(events.observe { _ in })
      outer = events.observe { _ in withExtendedLifetime(owner) {} }
    }
    events.post(.background)
    // Both end here, one within the other.
    outer = nil
    #expect(outer == nil)
  }

  @Test("are not kept alive by what they listen to")
  func weaklyHeld() throws {
    let events = SystemEvents()
    var cache: MemoryCache<Int, Int>? = try makeCache {
      $0.events = events
      $0.memoryPressure = .removeAll
      $0.trimInterval = .seconds(60)
    }
    weak let witness = cache
    cache = nil
    #expect(witness == nil)
    events.post(.memoryPressure(.critical))
  }

  #if os(Linux)
    @Test("learn of pressure from the kernel, or why not")
    func pressureFiles() throws {
      let error = #expect(throws: MemoryPressureError.self) {
        try MemoryPressureMonitor.signals(of: "/nowhere/memory.pressure")
      }
      #expect(
        error?.description
          == "/nowhere/memory.pressure: cannot watch memory pressure: No such file or directory; "
          + "post SystemEvent.memoryPressure to SystemEvents yourself")
      let events = SystemEvents()
      // Where there are such files, watching begins and ends.
      do { try events.watchMemory() } catch { #expect(error.path == "/proc/pressure/memory") }
    }

    @Test("wait with a pipe that no child inherits, or say why not")
    func pipeOfItsOwn() throws {
      let ends = try MemoryPressureMonitor.makePipe()
      for end in [ends.reading, ends.writing] {
        #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0)
        close(end)
      }
      let error = #expect(throws: MemoryPressureError.self) {
        try MemoryPressureMonitor.makePipe(flags: -1)
      }
      #expect(
        error?.description == "a pipe: cannot watch memory pressure: Invalid argument; "
          + "post SystemEvent.memoryPressure to SystemEvents yourself")
    }

    /// Two ends of a local socket, the first of which has urgent data; nil where that is not known.
    static func urgentSocket() -> (inner: Int32, outer: Int32)? {
      var ends: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
      var byte: UInt8 = 1
      if send(ends[1], &byte, 1, Int32(MSG_OOB)) == 1 { return (ends[0], ends[1]) }
      for end in ends { close(end) }
      return nil
    }

    static let hasUrgentData: Bool = {
      guard let ends = urgentSocket() else { return false }
      for end in [ends.inner, ends.outer] { close(end) }
      return true
    }()

    @Test(
      "are told whenever a watched descriptor has urgent news, until nobody watches",
      .enabled(if: hasUrgentData, "urgent data of local sockets came with Linux 5.15"),
      .endsWhenItHangs)
    func urgentNews() async throws {
      let (inner, outer) = try #require(Self.urgentSocket())
      defer { close(outer) }
      let seen = Removals<SystemEvent.Level>()
      var monitor: MemoryPressureMonitor? = try MemoryPressureMonitor(
        signals: [MemoryPressureMonitor.Signal(descriptor: inner, level: .critical)]
      ) { level in
        var byte: UInt8 = 0
        _ = recv(inner, &byte, 1, Int32(MSG_OOB))
        seen.append(Int(byte), level, .size)
      }
      var news: [Removals<SystemEvent.Level>.Removal] = []
      try await waitUntil {
        news = seen.take()
        return !news.isEmpty
      }
      #expect(news.map(\.key) == [1] && news.map(\.value) == [.critical])
      withExtendedLifetime(monitor) {}
      monitor = nil
      // The other end is closed when the thread ends.
      try await waitUntil {
        var answer: UInt8 = 0
        return recv(outer, &answer, 1, Int32(MSG_DONTWAIT)) == 0
      }
    }
  #endif

  @Test("are called in the order in which they asked, while they live")
  func order() {
    let events = SystemEvents()
    let seen = Removals<SystemEvent>()
    var first: SystemEvents.Observation? = events.observe { seen.append(1, $0, .size) }
    let second = events.observe { seen.append(2, $0, .size) }
    events.post(.background)
    #expect(seen.take().map(\.key) == [1, 2])
    withExtendedLifetime(first) {}
    first = nil
    events.post(.memoryPressure(.critical))
    let last = seen.take()
    #expect(last.map(\.key) == [2] && last.map(\.value) == [.memoryPressure(.critical)])
    withExtendedLifetime(second) {}
  }
}
