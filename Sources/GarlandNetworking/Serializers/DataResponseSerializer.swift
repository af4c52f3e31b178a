/// A serializer that returns the raw content.
public struct DataResponseSerializer: ResponseSerializer {
  /// Whether an empty response is an error. This does not apply to a response whose status, such as 204, or whose request method, such as
  /// HEAD, allows an empty body.
  public var requiresContent: Bool

  /// Creates a serializer.
  public init(requiresContent: Bool = true) { self.requiresContent = requiresContent }

  /// Returns the bytes of the content.
  public func serialize(_ content: ResponseContent) throws -> [UInt8] {
    if requiresContent { _ = try content.isRightlyEmpty() }
    return content.bytes
  }
}
