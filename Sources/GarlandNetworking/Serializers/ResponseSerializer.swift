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
  /// The type of the value.
  associatedtype Output: Sendable

  /// Returns the value. A thrown error becomes ``NetworkingError/Reason/serialization(_:)``.
  func serialize(_ content: ResponseContent) throws -> Output
}
