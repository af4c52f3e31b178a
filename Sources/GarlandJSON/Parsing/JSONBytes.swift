/// The bytes of a JSON document, for reading single values without building the tree.
///
/// ```swift
/// let body = JSONBytes(bytes)
/// let id = try body.value(at: [.name("user"), .name("id")])
/// ```
///
/// Each call reads and checks the whole document once. For paths that are used repeatedly, use
/// ``JSONExtractor``.
public struct JSONBytes: Sendable {
  /// The bytes of the document.
  public let bytes: [UInt8]

  /// Creates a document without reading it.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the value at a path, or nil when there is none.
  public func value(at path: [JSONPathElement]) throws(JSONParsingError) -> JSONValue? {
    try JSONExtractor(paths: [path]).values(in: bytes)[0]
  }

  /// Returns the values at several paths in their order; nil for a path without a value.
  public func values(at paths: [[JSONPathElement]]) throws(JSONParsingError) -> [JSONValue?] {
    try JSONExtractor(paths: paths).values(in: bytes)
  }
}
