/// The stable name of a kind of problem, such as `unknown-key`. Each room declares its own as static members.
public struct DiagnosticCode: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// Lower case, words joined by `-`.
  public let rawValue: String

  /// - Parameter rawValue: lower case, words joined by `-`.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// - Parameter value: lower case, words joined by `-`.
  public init(stringLiteral value: String) { rawValue = value }
  /// The name itself.
  public var description: String { rawValue }
}
