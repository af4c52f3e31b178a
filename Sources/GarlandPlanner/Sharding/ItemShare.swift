/// The items of a loop that one shard runs, if several shards divide the items of the loop among them.
public struct ItemShare: Sendable, Hashable {
  /// The positions of the shard's items in the loop, counted from 0.
  public let range: Range<Int>
  /// The number of items of the whole loop.
  public let count: Int

  /// Creates a share.
  ///
  /// - Parameters:
  ///   - range: the positions of the shard's items in the loop, counted from 0.
  ///   - count: the number of items of the whole loop.
  public init(range: Range<Int>, count: Int) {
    self.range = range
    self.count = count
  }
}
