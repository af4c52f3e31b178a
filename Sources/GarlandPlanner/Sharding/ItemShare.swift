/// A part of the items of a loop that several shards divide among them.
public struct ItemShare: Sendable, Hashable {
  /// The positions of the part's items in the loop, from 0.
  public let range: Range<Int>
  /// The number of items of the whole loop.
  public let count: Int

  /// Creates a share; every property is a parameter.
  public init(range: Range<Int>, count: Int) {
    self.range = range
    self.count = count
  }
}
