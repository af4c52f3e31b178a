/// Parses the content as a property list in the XML or the binary format. An empty response gives `null` if its status or the method of its
/// request allows it to be empty; otherwise, it is an error.
public struct PropertyListResponseSerializer: ResponseSerializer {
  /// Creates a serializer.
  public init() {}

  /// Returns the parsed value.
  public func serialize(_ content: ResponseContent) throws -> StructuredValue {
    if try content.isRightlyEmpty() { return .null }
    return try PropertyList.parse(content.bytes)
  }
}
