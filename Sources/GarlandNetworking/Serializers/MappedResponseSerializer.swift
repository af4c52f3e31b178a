/// A serializer whose value is converted.
public struct MappedResponseSerializer<Base: ResponseSerializer, Output: Sendable>: ResponseSerializer {
  let base: Base
  let transform: @Sendable (Base.Output) throws -> Output

  /// Returns the converted value.
  public func serialize(_ content: ResponseContent) throws -> Output { try transform(try base.serialize(content)) }
}

extension ResponseSerializer {
  /// Returns a serializer that converts the value that this serializer returns.
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Output) throws -> Other) -> MappedResponseSerializer<Self, Other> {
    MappedResponseSerializer(base: self, transform: transform)
  }
}
