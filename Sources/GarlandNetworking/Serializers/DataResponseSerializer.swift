/// A serializer that returns the raw content.
public struct DataResponseSerializer: ResponseSerializer {
  /// Whether a response without content is an error. Responses whose status or method allows no
  /// content are never an error.
  public var requiresContent: Bool

  /// Creates a serializer.
  public init(requiresContent: Bool = true) { self.requiresContent = requiresContent }

  /// Returns the bytes.
  public func serialize(_ content: ResponseContent) throws -> [UInt8] {
    if requiresContent { _ = try content.isRightlyEmpty() }
    return content.bytes
  }
}
