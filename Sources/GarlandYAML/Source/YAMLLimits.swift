/// What a document may cost. The defaults let a document of 100,000 steps pass.
public struct YAMLLimits: Sendable, Hashable {
  /// Bytes of a file. Default 64 MiB.
  public var fileSize: Int
  /// Collections within collections. Default 100.
  public var depth: Int
  /// Nodes that aliases and merge keys may add up to, counted as if each were written out. Default one million; a document with more than
  /// 100,000 nodes of its own may have ten times their number.
  public var expandedNodes: Int
  /// Errors after which parsing stops. Default 500.
  public var errors: Int

  /// The defaults, but for what is given.
  public init(fileSize: Int = 64 << 20, depth: Int = 100, expandedNodes: Int = 1_000_000, errors: Int = 500) {
    self.fileSize = fileSize
    self.depth = depth
    self.expandedNodes = expandedNodes
    self.errors = errors
  }
}
