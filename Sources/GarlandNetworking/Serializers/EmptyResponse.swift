/// A type that has a value for responses without content.
public protocol EmptyResponse {
  /// That value.
  static var emptyValue: Self { get }
}
