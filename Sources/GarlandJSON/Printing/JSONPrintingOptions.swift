/// How a value is written as text.
public struct JSONPrintingOptions: Sendable, Hashable {
  /// How much white space there is.
  public enum Layout: Sendable, Hashable {
    /// None.
    case compact
    /// A line for each member and element, indented by that many spaces a level; empty containers stay on one line.
    case indented(Int)
  }

  /// ``Layout/compact`` by default.
  public var layout: Layout
  /// Whether members are ordered by name instead of as they were written.
  public var sortsKeys: Bool
  /// Whether everything outside of ASCII is written as `\uXXXX`.
  public var escapesNonASCII: Bool

  /// Options with their defaults.
  public init(layout: Layout = .compact, sortsKeys: Bool = false, escapesNonASCII: Bool = false) {
    self.layout = layout
    self.sortsKeys = sortsKeys
    self.escapesNonASCII = escapesNonASCII
  }

  /// No white space.
  public static let compact = JSONPrintingOptions()
  /// Two spaces a level.
  public static let pretty = JSONPrintingOptions(layout: .indented(2))
}
