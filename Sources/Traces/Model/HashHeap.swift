/// Numbers, the largest first: a binary heap.
struct HashHeap {
  private var numbers: [UInt64] = []

  var count: Int { numbers.count }

  /// The largest; there must be one. O(1).
  var largest: UInt64 { numbers[0] }

  /// Adds a number. O(log count).
  mutating func insert(_ number: UInt64) {
    numbers.append(number)
    var place = numbers.count - 1
    while place > 0, numbers[(place - 1) / 2] < numbers[place] {
      numbers.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes the largest; there must be one. O(log count).
  mutating func removeLargest() {
    numbers.swapAt(0, numbers.count - 1)
    numbers.removeLast()
    var place = 0
    while true {
      var next = 2 * place + 1
      if next >= numbers.count { return }
      if next + 1 < numbers.count, numbers[next + 1] > numbers[next] { next += 1 }
      if numbers[next] <= numbers[place] { return }
      numbers.swapAt(place, next)
      place = next
    }
  }
}
