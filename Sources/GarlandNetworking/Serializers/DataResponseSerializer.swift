/// A serializer that returns the raw content.
public struct DataResponseSerializer: ResponseSerializer {
  /// Whether an empty response is an error. A response may always be empty if its status, such as 204, or the method of its request, such
  /// as HEAD, allows this.
  public var requiresContent: Bool

  /// Creates a serializer.
  public init(requiresContent: Bool = true) { self.requiresContent = requiresContent }

  /// Returns the bytes of the content.
  public func serialize(_ content: ResponseContent) throws -> [UInt8] {
    if requiresContent { _ = try content.isRightlyEmpty() }
    return content.bytes
  }
}
