/// Options for parsing a document.
public struct JSONParsingOptions: Sendable, Hashable {
  /// The treatment of duplicate names in an object ([RFC 8259
  /// §4](https://www.rfc-editor.org/rfc/rfc8259#section-4) only advises against them).
  public enum DuplicateKeys: Sendable, Hashable {
    /// The last value is used, as in most parsers; ``JSONDocument/duplicateKeys`` lists the
    /// duplicate names.
    case keepLast
    /// A duplicate name is an error.
    case error
  }

  /// The maximum depth of nested arrays and objects, 1,000 by default. A value above 4,000 is reduced to 4,000,
  /// so that comparing, printing or releasing the value of a hostile document cannot exhaust the stack.
  public var maximumDepth: Int {
    didSet { maximumDepth = JSONParsingOptions.allowedDepth(maximumDepth) }
  }

  /// The treatment of members of an object that have the same name; ``DuplicateKeys/keepLast`` by default.
  public var duplicateKeys: DuplicateKeys

  /// Creates options. Each option has a default.
  public init(maximumDepth: Int = 1000, duplicateKeys: DuplicateKeys = .keepLast) {
    self.maximumDepth = JSONParsingOptions.allowedDepth(maximumDepth)
    self.duplicateKeys = duplicateKeys
  }

  private static func allowedDepth(_ depth: Int) -> Int {
    min(max(depth, 0), 4000)
  }
}
