/// A type with a value that represents a response without content.
public protocol EmptyResponse {
  /// The value for a response without content.
  static var emptyValue: Self { get }
}

/// The value of a response without content.
public struct Empty: EmptyResponse, Decodable, Sendable, Hashable {
  /// The only value of the type.
  public static let emptyValue = Empty()

  /// Creates the only value of the type.
  public init() {}

  /// Creates the value. The decoded content is ignored.
  public init(from decoder: any Decoder) {}
}
