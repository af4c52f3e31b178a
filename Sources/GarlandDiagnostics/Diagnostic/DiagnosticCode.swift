/// The stable name of a kind of mistake, such as `unknown-key`. Each target declares its codes as
/// static members.
public struct DiagnosticCode: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// Lower case, words joined by `-`.
  public let rawValue: String

  /// - Parameter rawValue: lower case, words joined by `-`.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// - Parameter value: lower case, words joined by `-`.
  public init(stringLiteral value: String) { rawValue = value }
  /// The name.
  public var description: String { rawValue }
}
