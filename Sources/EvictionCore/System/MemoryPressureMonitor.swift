#if canImport(Darwin)
  import Dispatch

  /// Passes on when the system says that memory is scarce, until it is released.
  final class MemoryPressureMonitor: @unchecked Sendable {
    private let source: any DispatchSourceMemoryPressure

    init(_ post: @escaping @Sendable (SystemEvent.Level) -> Void) throws(MemoryPressureError) {
      let source = DispatchSource.makeMemoryPressureSource(
        eventMask: [.warning, .critical], queue: .global(qos: .utility))
      source.setEventHandler { post(source.data.contains(.critical) ? .critical : .warning) }
      source.activate()
      self.source = source
    }

    deinit { source.cancel() }
  }
#else
  import CInline
  import Dispatch
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif

  /// Passes on when the kernel says that memory is scarce, until it is released.
  ///
  /// Linux tells by pressure stall information: a file of the process's control group, or of the whole
  /// machine, becomes ready when tasks have waited for memory for a tenth of two seconds: some of them is a
  /// warning, all of them at once is critical. One thread sleeps in the kernel for it. (Two seconds is
  /// the window that the kernel grants every user.)
  package final class MemoryPressureMonitor: Sendable {
    /// A file that becomes ready, and the meaning of that.
    package struct Signal: Sendable {
      package let descriptor: Int32
      package let level: SystemEvent.Level

      package init(descriptor: Int32, level: SystemEvent.Level) {
        self.descriptor = descriptor
        self.level = level
      }
    }

    /// Closing this end ends the thread.
    private let end: Int32

    /// Watches the narrowest group that can be watched.
    convenience init(
      _ post: @escaping @Sendable (SystemEvent.Level) -> Void
    ) throws(MemoryPressureError) {
      let machine = "/proc/pressure/memory"
      let signals: [Signal]
      if let group = MemoryPressureMonitor.groupFile(),
        let found = try? MemoryPressureMonitor.signals(of: group)
      {
        signals = found
      } else {
        signals = try MemoryPressureMonitor.signals(of: machine)
      }
      try self.init(signals: signals, post)
    }

    /// Calls `post` whenever a signal's descriptor has urgent data, and closes them in the end.
    package init(
      signals: [Signal], _ post: @escaping @Sendable (SystemEvent.Level) -> Void
    ) throws(MemoryPressureError) {
      let wake: Int32
      do throws(MemoryPressureError) {
        (wake, end) = try MemoryPressureMonitor.makePipe()
      } catch {
        for signal in signals { close(signal.descriptor) }
        throw error
      }
      DispatchQueue(label: "EvictionLab.MemoryPressure", qos: .utility).async {
        Self.watch(signals, until: wake, post)
      }
    }

    deinit { close(end) }

    /// Both ends of a pipe, which are not inherited: a child that held one would keep the thread going.
    package static func makePipe(
      flags: Int32 = O_CLOEXEC
    ) throws(MemoryPressureError) -> (reading: Int32, writing: Int32) {
      var ends: [Int32] = [-1, -1]
      if evl_pipe(&ends, flags) < 0 {
        throw MemoryPressureError(path: "a pipe", reason: String(cString: strerror(errno)))
      }
      return (ends[0], ends[1])
    }

    private static func watch(
      _ signals: [Signal], until wake: Int32, _ post: (SystemEvent.Level) -> Void
    ) {
      var polled = signals.map { pollfd(fd: $0.descriptor, events: Int16(POLLPRI), revents: 0) }
      polled.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0))
      while polled[signals.count].revents == 0 {
        if poll(&polled, nfds_t(polled.count), -1) < 0 {
          if errno == EINTR { continue }
          break
        }
        for (number, signal) in signals.enumerated() {
          let ready = Int32(polled[number].revents)
          if ready & (POLLERR | POLLNVAL) != 0 {
            // Its group is gone.
            polled[number].fd = -1
          } else if ready & POLLPRI != 0 {
            post(signal.level)
          }
        }
      }
      for signal in signals { close(signal.descriptor) }
      close(wake)
    }

    /// Sets both triggers in the pressure file at `path`.
    package static func signals(of path: String) throws(MemoryPressureError) -> [Signal] {
      var signals: [Signal] = []
      for (share, level) in [("some", SystemEvent.Level.warning), ("full", .critical)] {
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        let trigger = share + " 200000 2000000"
        if descriptor >= 0, write(descriptor, trigger, trigger.utf8.count + 1) > 0 {
          signals.append(Signal(descriptor: descriptor, level: level))
          continue
        }
        let error = MemoryPressureError(path: path, reason: String(cString: strerror(errno)))
        if descriptor >= 0 { close(descriptor) }
        for signal in signals { close(signal.descriptor) }
        throw error
      }
      return signals
    }

    /// The pressure file of the process's control group (version 2), if it is in one.
    private static func groupFile() -> String? {
      guard let file = fopen("/proc/self/cgroup", "r") else { return nil }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 4_096)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        guard text.hasPrefix("0::/"), let group = text.dropFirst(3).split(separator: "\n").first
        else { continue }
        return "/sys/fs/cgroup" + (group == "/" ? "" : group) + "/memory.pressure"
      }
      return nil
    }
  }
#endif

/// The reason why the system does not report scarce memory.
public struct MemoryPressureError: Error, Equatable, CustomStringConvertible {
  /// The file that would have told, or what it takes to wait for it.
  public let path: String
  /// The system's reason.
  public let reason: String

  /// The problem and the remedy, in one line.
  public var description: String {
    "\(path): cannot watch memory pressure: \(reason); post "
      + "SystemEvent.memoryPressure to SystemEvents yourself"
  }
}
