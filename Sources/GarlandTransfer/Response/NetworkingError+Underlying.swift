extension NetworkingError {
  /// An error thrown by the caller's code: by an interceptor, a validator or a serializer.
  ///
  /// Two errors are equal if they have the same type and description.
  public struct Underlying: Sendable, Hashable, CustomStringConvertible {
    /// The error as it was thrown.
    public let error: any Error

    /// Wraps an error.
    public init(_ error: any Error) { self.error = error }

    /// The description of the error.
    public var description: String { "\(error)" }

    /// Whether both errors have the same type and description.
    public static func == (left: Self, right: Self) -> Bool {
      type(of: left.error) == type(of: right.error) && left.description == right.description
    }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }
}
