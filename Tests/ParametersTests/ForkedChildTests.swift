import Foundation
import Parameters
import Synchronization
import Testing

/// Work in a child: every end that it can have, and what the parent learns of it.
@Suite struct ForkedChildTests {
  private let child = ForkedChild(patience: 60)

  /// `fork()`, which Swift calls by this way only.
  private static func forks() -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    return unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
  }

  @Test func answerComesBack() {
    let local = [3, 1, 2]
    let report = child.run { life in
      life.mark("sorts")
      life.show(done: 2)
      return local.sorted().map(UInt8.init)
    }
    #expect(report.end == .finished([1, 2, 3]))
    #expect(report.mark == "sorts" && report.done == 2 && report.lastLine.isEmpty)
  }

  @Test func answerMayBeLarge() {
    let answer = (0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 8) }
    #expect(child.run { _ in answer }.end == .finished(answer))
  }

  @Test func trapIsNamedWithItsPlaceAndReason() {
    let report = child.run { life in
      let start = life.mark("seed 42, ")
      for operation in 0..<100 {
        life.mark("operation \(operation)", after: start)
        if operation == 17 { fatalError("no such slot") }
      }
      return []
    }
    #expect([.crashed(signal: Int(SIGILL)), .crashed(signal: Int(SIGTRAP))].contains(report.end))
    #expect(report.mark == "seed 42, operation 17")
    #expect(report.lastLine == "no such slot")
    #expect("\(report)".hasPrefix("crashed (signal "))
  }

  @Test func wildWriteIsASignal() {
    let report = child.run { _ in
      UnsafeMutablePointer<Int>(bitPattern: 8)!.pointee = 1
      return []
    }
    #expect(report.end == .crashed(signal: Int(SIGSEGV)))
  }

  @Test func longMarksAreCut() {
    let text = String(repeating: "ab", count: 5_000)
    let report = child.run { life in
      life.mark("more", after: life.mark(text))
      return []
    }
    #expect(report.mark.utf8.count == 2047 && text.hasPrefix(report.mark))
  }

  @Test func exitRunsNothingOfTheParent() async {
    await #expect(processExitsWith: .exitCode(7)) {
      atexit { _ = write(1, "the parent's\n", 13) }
      let report = ForkedChild(patience: 60).run { _ in exit(3) }
      _exit(report.end == .exited(code: 3) && report.lastLine.isEmpty ? 7 : 8)
    }
  }

  @Test func exitWithoutAnErrorIsNoAnswer() {
    let report = child.run { _ in
      print("last words")
      exit(0)
    }
    #expect(report.end == .exited(code: 0))
    #expect("\(report)" == "called exit(0): last words")
  }

  @Test func outputIsTaken() {
    let taken = Mutex<[UInt8]>([])
    let child = ForkedChild(patience: 60) { new in taken.withLock { $0 += new } }
    let report = child.run { _ in
      print("to standard output")
      return [UInt8(getpgrp() == getpid() ? 1 : 0), UInt8(getchar() == EOF ? 1 : 0)]
    }
    // A process group of its own, and no input.
    #expect(report.end == .finished([1, 1]))
    #expect(taken.withLock { $0 } == Array("to standard output\n".utf8))
  }

  @Test func hangEnds() {
    let report = ForkedChild(patience: 2).run { life in
      life.mark("waits for ever")
      // A loop without a call is none to the optimizer.
      while getpid() > 0 {}
      return []
    }
    #expect(report.end == .hung(seconds: 2) && report.mark == "waits for ever")
  }

  @Test func oneThatNeverBeginsIsBegunOnceMore() {
    let runs = Mutex(0)
    let child = ForkedChild(patience: 1) { new in runs.withLock { $0 += new.count } }
    for mark in ["", "sleeps"] {
      runs.withLock { $0 = 0 }
      let report = child.run { life in
        if !mark.isEmpty { life.mark(mark) }
        _ = write(1, ".", 1)
        while true { pause() }
      }
      #expect(report.end == .hung(seconds: 1) && runs.withLock { $0 } == (mark.isEmpty ? 2 : 1))
    }
  }

  @Test func severalAreAtWorkAtOnce() {
    var children: [(number: Int, child: RunningChild)] = []
    for number in 0..<3 {
      let answer = [UInt8](repeating: UInt8(number), count: 1 << 17)
      children.append((number, child.begin { _ in answer }))
    }
    while !children.isEmpty {
      RunningChild.wait(forNewsOf: children.map(\.child))
      children.removeAll { number, child in
        guard let report = child.look() else { return false }
        #expect(report.end == .finished([UInt8](repeating: UInt8(number), count: 1 << 17)))
        return true
      }
    }
  }

  @Test func workThatForksIsEnded() {
    let report = child.run { _ in
      _ = ForkedChildTests.forks()
      return [7]
    }
    #expect(report.end == .crashed(signal: Int(SIGABRT)))
    #expect(report.lastLine == "starts a process")
  }

  @Test func oneThatIsForgottenIsEnded() throws {
    let mark = {
      let child = child.begin { life in
        life.mark("\(getpid())")
        life.show(done: 1)
        while true { pause() }
      }
      var mark = ""
      while mark.isEmpty {
        RunningChild.wait(forNewsOf: [child])
        let report = child.look { done, last in
          if done == 1 { mark = last() }
          return true
        }
        if let report {
          Issue.record("\(report)")
          break
        }
      }
      return mark
    }()
    let process = try #require(pid_t(mark))
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test func signsOfLifeKeepItAlive() {
    let report = ForkedChild(patience: 2).run { life in
      for step in 0..<15 {
        usleep(200_000)
        life.show(done: step)
      }
      return [1]
    }
    #expect(report.end == .finished([1]))
  }

  @Test func memoryIsLimited() throws {
    #if os(Linux)
      let limited = ForkedChild(patience: 60, memoryLimit: 64 << 20)
      let report = limited.run { life in
        for block in 1...1_000 {
          // What malloc() still has of this process would not count.
          let memory = mmap(
            nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
          guard let memory, memory != MAP_FAILED else { MemoryShortage.end("a block") }
          memset(memory, 1, 1 << 20)
          life.show(done: block)
        }
        return []
      }
      #expect(report.end == .outOfMemory)
      #expect((32...64).contains(report.done))
    #endif
  }

  @Test func stoppedChildIsGone() throws {
    let report = child.run { done, _ in
      done == 0
    } _: { life in
      life.mark("\(getpid())")
      life.show(done: 1)
      while true { usleep(1_000) }
    }
    #expect(report.end == .stopped)
    let process = try #require(pid_t(report.mark))
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }
}
