/// The content as it is.
public struct DataResponseSerializer: ResponseSerializer {
  /// Whether a response without content is an error, unless it is one that may come without.
  public var requiresContent: Bool

  /// A serializer.
  public init(requiresContent: Bool = true) { self.requiresContent = requiresContent }

  /// The bytes.
  public func serialize(_ content: ResponseContent) throws -> [UInt8] {
    if requiresContent { _ = try content.isRightlyEmpty() }
    return content.bytes
  }
}
