/// The content as a property list, XML or binary. A response that rightly has no content is `null`.
public struct PropertyListResponseSerializer: ResponseSerializer {
  /// A serializer.
  public init() {}

  /// The value.
  public func serialize(_ content: ResponseContent) throws -> StructuredValue {
    if try content.isRightlyEmpty() { return .null }
    return try PropertyList.parse(content.bytes)
  }
}
