/// The stable name of a kind of diagnostic, such as `unknown-key`. Each target declares its codes as
/// static members.
public struct DiagnosticCode: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name: in lower case, with words joined by `-`.
  public let rawValue: String

  /// Creates a code.
  ///
  /// - Parameter rawValue: The name: in lower case, with words joined by `-`.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a code from a literal.
  ///
  /// - Parameter value: The name: in lower case, with words joined by `-`.
  public init(stringLiteral value: String) { rawValue = value }
  /// The name.
  public var description: String { rawValue }
}
