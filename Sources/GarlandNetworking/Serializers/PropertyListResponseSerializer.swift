/// Parses the content as a property list, XML or binary. A response that may have no content yields
/// `null`.
public struct PropertyListResponseSerializer: ResponseSerializer {
  /// Creates a serializer.
  public init() {}

  /// Returns the parsed value.
  public func serialize(_ content: ResponseContent) throws -> StructuredValue {
    if try content.isRightlyEmpty() { return .null }
    return try PropertyList.parse(content.bytes)
  }
}
