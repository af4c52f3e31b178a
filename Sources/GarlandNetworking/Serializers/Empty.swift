/// What there is to say about a response without content.
public struct Empty: EmptyResponse, Decodable, Sendable, Hashable {
  /// The only value.
  public static let emptyValue = Empty()

  /// The only value.
  public init() {}

  /// Anything will do.
  public init(from decoder: any Decoder) {}
}
