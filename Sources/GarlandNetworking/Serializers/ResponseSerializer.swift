/// Turns the content of a response into a value.
///
/// ```swift
/// struct CSV: ResponseSerializer {
///   func serialize(_ content: ResponseContent) throws -> [[String]] {
///     try StringResponseSerializer().serialize(content).split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
///   }
/// }
/// let rows = try await session.request(url).validate().response(with: CSV()).value
/// ```
/// It runs in the task that waits, not on the engine's thread, so that it may take its time.
public protocol ResponseSerializer<Output>: Sendable {
  /// What it makes.
  associatedtype Output: Sendable

  /// The value. What it throws is the response's error, as ``NetworkingError/Reason/serialization(_:)``.
  func serialize(_ content: ResponseContent) throws -> Output
}
