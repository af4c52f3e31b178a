/// A type that has a value for responses without content.
public protocol EmptyResponse {
  /// The value for a response without content.
  static var emptyValue: Self { get }
}
