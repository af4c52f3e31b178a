/// What a parser accepts.
public struct JSONParsingOptions: Sendable, Hashable {
  /// What to do with a name that stands twice in one object ([RFC 8259 §4](https://www.rfc-editor.org/rfc/rfc8259#section-4) only advises
  /// against it).
  public enum DuplicateKeys: Sendable, Hashable {
    /// The last value counts, as in most parsers; ``JSONDocument/duplicateKeys`` tells which were repeated.
    case keepLast
    /// A repeated name is an error.
    case error
  }

  /// How many arrays and objects may be nested, 1,000 by default. More than 4,000 counts as 4,000, so that a hostile document
  /// cannot make the program run out of stack when its value is compared, printed or released.
  public var maximumDepth: Int {
    didSet { maximumDepth = JSONParsingOptions.allowedDepth(maximumDepth) }
  }

  /// What to do with repeated names, ``DuplicateKeys/keepLast`` by default.
  public var duplicateKeys: DuplicateKeys

  /// Options with their defaults.
  public init(maximumDepth: Int = 1000, duplicateKeys: DuplicateKeys = .keepLast) {
    self.maximumDepth = JSONParsingOptions.allowedDepth(maximumDepth)
    self.duplicateKeys = duplicateKeys
  }

  private static func allowedDepth(_ depth: Int) -> Int {
    min(max(depth, 0), 4000)
  }
}
