/// The bytes of a JSON document, from which single values can be read without building the tree.
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

  /// Creates a document from its bytes. The bytes are not read yet.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the value at a path; nil if there is no value at the path.
  public func value(at path: [JSONPathElement]) throws(JSONParsingError) -> JSONValue? {
    try JSONExtractor(paths: [path]).values(in: bytes)[0]
  }

  /// Returns the values at several paths, in the order of the paths; nil for a path without a value.
  public func values(at paths: [[JSONPathElement]]) throws(JSONParsingError) -> [JSONValue?] {
    try JSONExtractor(paths: paths).values(in: bytes)
  }
}
