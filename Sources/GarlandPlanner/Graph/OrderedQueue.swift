/// A priority queue of the numbers below a given bound. The queue contains each number at most once and returns the smallest number first.
///
/// The queue has one bit for each number, and one bit for each group of 64 of these bits. A number that is inserted must be greater than
/// the number that was last removed.
struct OrderedQueue {
  private var words: [UInt64]
  private var summary: [UInt64]
  /// The index of the first element of `words` that may be nonzero. All elements before it are 0.
  private var cursor = 0

  init(bound: Int) {
    words = [UInt64](repeating: 0, count: bound / 64 + 1)
    summary = [UInt64](repeating: 0, count: bound / 4_096 + 1)
  }

  /// Empties the queue. All numbers that are inserted later must be greater than `number`.
  mutating func restart(after number: Int) {
    while popFirst() != nil {}
    cursor = number / 64
  }

  mutating func insert(_ number: Int) {
    words[number / 64] |= 1 << UInt64(number % 64)
    summary[number / 4_096] |= 1 << UInt64(number / 64 % 64)
  }

  mutating func popFirst() -> Int? {
    if words[cursor] == 0 {
      var block = cursor / 64
      // The words of this block before the cursor are 0, so their bits in `summary` are not set.
      while summary[block] == 0 {
        block += 1
        guard block < summary.count else { return nil }
      }
      cursor = block * 64 + summary[block].trailingZeroBitCount
    }
    let bit = words[cursor].trailingZeroBitCount
    words[cursor] &= words[cursor] - 1
    if words[cursor] == 0 { summary[cursor / 64] &= ~(1 << UInt64(cursor % 64)) }
    return cursor * 64 + bit
  }
}
