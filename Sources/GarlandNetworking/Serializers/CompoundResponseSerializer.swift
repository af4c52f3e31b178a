/// The first of several serializers that fits.
///
/// ```swift
/// let either = CompoundResponseSerializer<Reply>([
///   DecodableResponseSerializer(of: Success.self).map(Reply.success), DecodableResponseSerializer(of: Problem.self).map(Reply.problem),
/// ])
/// ```
public struct CompoundResponseSerializer<Output: Sendable>: ResponseSerializer {
  private let serializers: [any ResponseSerializer<Output>]

  /// These, in their order.
  public init(_ serializers: [any ResponseSerializer<Output>]) { self.serializers = serializers }

  /// The value of the first that does not fail. If all do, the error has what each had to say.
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
