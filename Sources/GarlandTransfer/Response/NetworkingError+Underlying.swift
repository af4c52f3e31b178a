extension NetworkingError {
  /// An error of somebody else's: an interceptor's, a validator's, a serializer's.
  ///
  /// Two are equal if they are of one type and have the same words.
  public struct Underlying: Sendable, Hashable, CustomStringConvertible {
    /// The error as it was thrown.
    public let error: any Error

    /// Wraps an error.
    public init(_ error: any Error) { self.error = error }

    /// Its words.
    public var description: String { "\(error)" }

    /// By type and words.
    public static func == (left: Self, right: Self) -> Bool {
      type(of: left.error) == type(of: right.error) && left.description == right.description
    }

    /// By words.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }
}
