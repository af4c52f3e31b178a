/// Options for parsing a document.
public struct JSONParsingOptions: Sendable, Hashable {
  /// The handling of duplicate names in an object ([RFC 8259
  /// §4](https://www.rfc-editor.org/rfc/rfc8259#section-4) only advises against them).
  public enum DuplicateKeys: Sendable, Hashable {
    /// The last value counts, as in most parsers; ``JSONDocument/duplicateKeys`` lists the
    /// duplicate names.
    case keepLast
    /// A duplicate name is an error.
    case error
  }

  /// The limit of nested arrays and objects, 1,000 by default. A value above 4,000 counts as 4,000,
  /// so that comparing, printing or releasing a hostile document's value cannot exhaust the stack.
  public var maximumDepth: Int {
    didSet { maximumDepth = JSONParsingOptions.allowedDepth(maximumDepth) }
  }

  /// The handling of duplicate names, ``DuplicateKeys/keepLast`` by default.
  public var duplicateKeys: DuplicateKeys

  /// Creates options; each has a default.
  public init(maximumDepth: Int = 1000, duplicateKeys: DuplicateKeys = .keepLast) {
    self.maximumDepth = JSONParsingOptions.allowedDepth(maximumDepth)
    self.duplicateKeys = duplicateKeys
  }

  private static func allowedDepth(_ depth: Int) -> Int {
    min(max(depth, 0), 4000)
  }
}
