/// Limits of parsing a document. The defaults permit a document of 100,000 steps.
public struct YAMLLimits: Sendable, Hashable {
  /// The maximum number of bytes in a file. Default: 64 MiB.
  public var fileSize: Int
  /// The maximum nesting depth of collections. Default: 100.
  public var depth: Int
  /// The maximum number of nodes that aliases and merge keys may add, each counted as if it were written out. Default: one million. A
  /// document with more than 100,000 nodes of its own may add ten times their number.
  public var expandedNodes: Int
  /// The number of errors after which parsing stops. Default: 500.
  public var errors: Int

  /// Creates limits; each has a default.
  public init(fileSize: Int = 64 << 20, depth: Int = 100, expandedNodes: Int = 1_000_000, errors: Int = 500) {
    self.fileSize = fileSize
    self.depth = depth
    self.expandedNodes = expandedNodes
    self.errors = errors
  }
}
