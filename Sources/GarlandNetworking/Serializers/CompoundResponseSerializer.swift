/// Tries several serializers in order, and uses the first one that succeeds.
///
/// ```swift
/// let either = CompoundResponseSerializer<Reply>([
///   DecodableResponseSerializer(of: Success.self).map(Reply.success), DecodableResponseSerializer(of: Problem.self).map(Reply.problem),
/// ])
/// ```
public struct CompoundResponseSerializer<Output: Sendable>: ResponseSerializer {
  private let serializers: [any ResponseSerializer<Output>]

  /// Creates a serializer that tries `serializers` in order.
  public init(_ serializers: [any ResponseSerializer<Output>]) { self.serializers = serializers }

  /// Returns the value of the first serializer that succeeds. If all serializers fail, the error contains the error of each serializer.
  public func serialize(_ content: ResponseContent) throws -> Output {
    var failures: [NetworkingError.Serialization] = []
    for serializer in serializers {
      do {
        return try serializer.serialize(content)
      } catch let error as NetworkingError.Serialization {
        failures.append(error)
      } catch {
        failures.append(.custom(.init(error)))
      }
    }
    throw NetworkingError.Serialization.noneFits(failures)
  }
}
