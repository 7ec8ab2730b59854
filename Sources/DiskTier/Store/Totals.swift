/// A number of entries and the bytes of their values, or a difference of such.
struct Totals: Equatable {
  var count = 0
  var size = 0

  /// Wraps around, since a damaged row may claim any size.
  static func += (left: inout Totals, right: Totals) {
    left.count &+= right.count
    left.size &+= right.size
  }
}
