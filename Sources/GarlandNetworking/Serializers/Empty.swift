/// The value of a response without content.
public struct Empty: EmptyResponse, Decodable, Sendable, Hashable {
  /// The only value.
  public static let emptyValue = Empty()

  /// Creates the only value.
  public init() {}

  /// Accepts any content.
  public init(from decoder: any Decoder) {}
}
