/// Times as logs write them. Without a zone they are taken to be universal time.
extension UnsafeRawBufferPointer {
  /// The nanoseconds since 1970 of `10/Oct/2000:13:55:36 -0700`, whose seconds may have a fraction; nil when
  /// the text is not one.
  var commonLogTime: Int64? {
    guard count >= 20, self[2] == UInt8(ascii: "/"), self[6] == UInt8(ascii: "/"),
      self[11] == UInt8(ascii: ":"), let day = number(0..<2),
      let month = Self.months[UnsafeRawBufferPointer(rebasing: self[3..<6])],
      let year = number(7..<11)
    else { return nil }
    return time(onDay: Self.days(year, month, day), from: 12)
  }

  /// The nanoseconds since 1970 of `2015-05-13T23:39:43.945958Z` (ISO 8601), which may have a blank for the T and
  /// any zone; nil for any other text.
  var isoTime: Int64? {
    guard count >= 19, self[10] == UInt8(ascii: "T") || self[10] == UInt8(ascii: " "),
      let day = UnsafeRawBufferPointer(rebasing: self[..<10]).isoDay
    else { return nil }
    return time(onDay: day, from: 11)
  }

  /// The days from 1970-01-01 to `2012-04-01`; nil when the text is no day.
  var isoDay: Int64? {
    guard count == 10, self[4] == UInt8(ascii: "-"), self[7] == UInt8(ascii: "-"),
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      1...12 ~= month, 1...31 ~= day
    else { return nil }
    return Self.days(year, month, day)
  }

  /// The nanoseconds since 1970 of `20160201164559`; nil for any other text.
  var digitsTime: Int64? {
    guard count == 14, let year = number(0..<4), let month = number(4..<6),
      let day = number(6..<8), let hour = number(8..<10), let minute = number(10..<12),
      let second = number(12..<14), 1...12 ~= month, 1...31 ~= day
    else { return nil }
    let days = Self.days(year, month, day)
    return Self.nanoseconds(((days * 24 + hour) * 60 + minute) * 60, plus: second * .second)
  }

  /// The nanoseconds of a time in any of these notations, or of a number of units; nil for any other text.
  func anyTime(unit: Int64) -> Int64? {
    duration(unit: unit) ?? isoTime ?? commonLogTime
  }

  /// The nanoseconds since 1970 of `13:55:36.5 -0700`, which begins at `start`, on a day.
  func time(onDay days: Int64, from start: Int) -> Int64? {
    guard count >= start + 8, self[start + 2] == UInt8(ascii: ":"),
      self[start + 5] == UInt8(ascii: ":"), let hour = number(start..<start + 2),
      let minute = number(start + 3..<start + 5)
    else { return nil }
    var end = start + 8
    if end < count, self[end] == UInt8(ascii: ".") {
      end += 1
      while end < count, self[end] &- 0x30 < 10 { end += 1 }
    }
    let seconds = UnsafeRawBufferPointer(rebasing: self[start + 6..<end])
    guard let second = seconds.duration(unit: .second), let zone = zone(from: end) else {
      return nil
    }
    return Self.nanoseconds(((days * 24 + hour) * 60 + minute) * 60 - zone, plus: second)
  }

  /// The seconds by which the zone that ends the text is ahead of universal time: `Z`, `+0530`, `+05:30`, nothing.
  private func zone(from start: Int) -> Int64? {
    let zone = UnsafeRawBufferPointer(rebasing: self[start...]).trimmed
    if zone.isEmpty || zone.count == 1 && zone[0] | 0x20 == UInt8(ascii: "z") { return 0 }
    let hasColon = zone.count == 6 && zone[3] == UInt8(ascii: ":")
    guard zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"),
      hasColon || zone.count == 5, let hours = zone.number(1..<3),
      let minutes = zone.number(hasColon ? 4..<6 : 3..<5)
    else { return nil }
    let seconds = (hours * 60 + minutes) * 60
    return zone[0] == UInt8(ascii: "-") ? -seconds : seconds
  }

  private static func nanoseconds(_ seconds: Int64, plus rest: Int64) -> Int64? {
    let (product, isOver) = seconds.multipliedReportingOverflow(by: .second)
    let (sum, isPast) = product.addingReportingOverflow(rest)
    return isOver || isPast ? nil : sum
  }

  private static let months = Words<Int64>([
    (1, "jan"), (2, "feb"), (3, "mar"), (4, "apr"), (5, "may"), (6, "jun"), (7, "jul"), (8, "aug"),
    (9, "sep"), (10, "oct"), (11, "nov"), (12, "dec"),
  ])

  /// Days from 1970-01-01 to a day of the Gregorian calendar, whose years begin in March here so
  /// that the leap day is a year's last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays = year / 4 - year / 100 + year / 400
    return year * 365 + leapDays + dayOfYear - 719_468
  }

  /// The whole number that some of the bytes are.
  private func number(_ range: Range<Int>) -> Int64? {
    UnsafeRawBufferPointer(rebasing: self[range]).wholeNumber.map(Int64.init(truncatingIfNeeded:))
  }
}
