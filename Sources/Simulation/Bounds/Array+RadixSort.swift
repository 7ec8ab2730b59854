extension Array where Element: BitwiseCopyable {
  /// Sorts the elements by a number from 0 on, the largest first and equal ones in their order.
  ///
  /// - Parameters:
  ///   - key: The number, which is not NaN.
  ///   - goesOn: Asked about every 16 384 elements; false stops the work.
  /// - Returns: False if it was stopped: then the elements are in no order.
  /// - Complexity: O(n), with memory for n more elements.
  mutating func sortDescending(by key: (Element) -> Double, goesOn: () -> Bool) -> Bool {
    guard let first else { return true }
    let digitBits = 11
    let digits = 1 << digitBits
    var other = [Element](repeating: first, count: count)
    for shift in stride(from: 0, to: UInt64.bitWidth, by: digitBits) {
      // As whole numbers, the bits of numbers from 0 on have the same order.
      func digit(_ element: Element) -> Int {
        Int(truncatingIfNeeded: ~key(element).bitPattern >> UInt64(shift)) & (digits - 1)
      }
      var places = [Int](repeating: 0, count: digits)
      for (index, element) in enumerated() {
        if index & 0x3FFF == 0 && !goesOn() { return false }
        places[digit(element)] += 1
      }
      if places.contains(count) { continue }
      var sum = 0
      for index in places.indices { (places[index], sum) = (sum, sum + places[index]) }
      for (index, element) in enumerated() {
        if index & 0x3FFF == 0 && !goesOn() { return false }
        let digit = digit(element)
        other[places[digit]] = element
        places[digit] += 1
      }
      swap(&self, &other)
    }
    return true
  }
}
