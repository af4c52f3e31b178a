/// Options for writing a value as text.
public struct JSONPrintingOptions: Sendable, Hashable {
  /// The white space between the parts of a value.
  public enum Layout: Sendable, Hashable {
    /// The text contains no white space between values.
    case compact
    /// Each member and element is on its own line, indented by the given number of spaces for each level. Empty containers stay on one
    /// line.
    case indented(Int)
  }

  /// The white space between the tokens of the JSON text; ``Layout/compact`` by default.
  public var layout: Layout
  /// Whether members are sorted by name. If false, they keep their order.
  public var sortsKeys: Bool
  /// Whether all characters outside of ASCII are written as `\uXXXX`.
  public var escapesNonASCII: Bool

  /// Creates options. Each option has a default.
  public init(layout: Layout = .compact, sortsKeys: Bool = false, escapesNonASCII: Bool = false) {
    self.layout = layout
    self.sortsKeys = sortsKeys
    self.escapesNonASCII = escapesNonASCII
  }

  /// Options for JSON without white space.
  public static let compact = JSONPrintingOptions()
  /// Options with two spaces for each level.
  public static let pretty = JSONPrintingOptions(layout: .indented(2))
}
