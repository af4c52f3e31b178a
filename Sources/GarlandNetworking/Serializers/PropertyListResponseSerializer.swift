/// Parses the content as a property list in the XML or the binary format. An empty response is an error, unless the status (such as 204) or
/// the method of the request (such as HEAD) allows an empty response. The value of an allowed empty response is `null`.
public struct PropertyListResponseSerializer: ResponseSerializer {
  /// Creates a serializer.
  public init() {}

  /// Returns the parsed value.
  public func serialize(_ content: ResponseContent) throws -> StructuredValue {
    if try content.isRightlyEmpty() { return .null }
    return try PropertyList.parse(content.bytes)
  }
}
