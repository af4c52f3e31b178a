/// A serializer whose value is changed.
public struct MappedResponseSerializer<Base: ResponseSerializer, Output: Sendable>: ResponseSerializer {
  let base: Base
  let transform: @Sendable (Base.Output) throws -> Output

  /// The changed value.
  public func serialize(_ content: ResponseContent) throws -> Output { try transform(try base.serialize(content)) }
}

extension ResponseSerializer {
  /// A serializer that changes what this one makes.
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Output) throws -> Other) -> MappedResponseSerializer<Self, Other> {
    MappedResponseSerializer(base: self, transform: transform)
  }
}
