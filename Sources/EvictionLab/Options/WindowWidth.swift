import ArgumentParser
import Experiments

/// How runs are cut into windows, on the command line: `100` windows, or windows of `10min`.
struct WindowWidth: ExpressibleByArgument {
  let cut: WindowCut

  init?(argument: String) {
    if let count = Count(argument: argument) {
      guard (1...WindowCut.most).contains(count.value) else { return nil }
      cut = .count(count.value)
    } else if let time = TimeSpan(argument: argument), time.nanoseconds > 0 {
      cut = .time(time.nanoseconds)
    } else {
      return nil
    }
  }
}
