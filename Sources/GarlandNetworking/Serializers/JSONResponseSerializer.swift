import GarlandJSON

/// Parses the content as JSON, including fragments such as `5`.
///
/// An empty response is an error, unless the status (such as 204) or the method of the request (such as HEAD) allows it. The value of an
/// allowed empty response is `null`.
public struct JSONResponseSerializer: ResponseSerializer {
  /// The options of the parser.
  public var options: JSONParsingOptions

  /// Creates a serializer.
  public init(options: JSONParsingOptions = JSONParsingOptions()) { self.options = options }

  /// Returns the parsed value.
  public func serialize(_ content: ResponseContent) throws -> JSONValue {
    if try content.isRightlyEmpty() { return .null }
    do throws(JSONParsingError) {
      return try JSONValue(parsing: content.bytes, options: options)
    } catch {
      throw NetworkingError.Serialization.json(error)
    }
  }
}
