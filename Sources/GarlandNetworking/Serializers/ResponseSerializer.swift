/// Converts the content of a response to a value.
///
/// ```swift
/// struct CSV: ResponseSerializer {
///   func serialize(_ content: ResponseContent) throws -> [[String]] {
///     try StringResponseSerializer().serialize(content).split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
///   }
/// }
/// let rows = try await session.request(url).validate().response(with: CSV()).value
/// ```
/// A serializer runs in the task that waits for the value, not on the engine's thread, so a slow
/// serializer does not block other requests.
public protocol ResponseSerializer<Output>: Sendable {
  /// The type of the values that the serializer creates from responses.
  associatedtype Output: Sendable

  /// Converts the content of a response to a value. A thrown error becomes
  /// ``NetworkingError/Reason/serialization(_:)``.
  func serialize(_ content: ResponseContent) throws -> Output
}

/// A serializer that converts the value of another serializer; see ``ResponseSerializer/map(_:)``.
public struct MappedResponseSerializer<Base: ResponseSerializer, Output: Sendable>: ResponseSerializer {
  let base: Base
  let transform: @Sendable (Base.Output) throws -> Output

  /// Converts the value that the base serializer returns.
  public func serialize(_ content: ResponseContent) throws -> Output { try transform(try base.serialize(content)) }
}

extension ResponseSerializer {
  /// Returns a serializer that converts the value that this serializer returns.
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Output) throws -> Other) -> MappedResponseSerializer<Self, Other> {
    MappedResponseSerializer(base: self, transform: transform)
  }
}
