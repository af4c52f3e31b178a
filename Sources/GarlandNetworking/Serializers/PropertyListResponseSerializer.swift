/// Parses the content as a property list, XML or binary. If the response may have no content, an
/// empty response gives `null`.
public struct PropertyListResponseSerializer: ResponseSerializer {
  /// Creates a serializer.
  public init() {}

  /// Returns the parsed value.
  public func serialize(_ content: ResponseContent) throws -> StructuredValue {
    if try content.isRightlyEmpty() { return .null }
    return try PropertyList.parse(content.bytes)
  }
}
