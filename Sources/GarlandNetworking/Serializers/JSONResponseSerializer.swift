import GarlandJSON

/// The content as JSON, fragments such as `5` included. A response that rightly has no content is `null`.
public struct JSONResponseSerializer: ResponseSerializer {
  /// How it is read.
  public var options: JSONParsingOptions

  /// A serializer.
  public init(options: JSONParsingOptions = JSONParsingOptions()) { self.options = options }

  /// The value.
  public func serialize(_ content: ResponseContent) throws -> JSONValue {
    if try content.isRightlyEmpty() { return .null }
    do throws(JSONParsingError) {
      return try JSONValue(parsing: content.bytes, options: options)
    } catch {
      throw NetworkingError.Serialization.json(error)
    }
  }
}
