/// The bytes of a JSON document out of which single values are taken, without building the tree.
///
/// ```swift
/// let body = JSONBytes(bytes)
/// let id = try body.value(at: [.name("user"), .name("id")])
/// ```
///
/// Each call reads the document once and checks all of it. ``JSONExtractor`` does the same for paths that are used again and again.
public struct JSONBytes: Sendable {
  /// The document.
  public let bytes: [UInt8]

  /// Nothing is read yet.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The value at a path, or nil when there is none.
  public func value(at path: [JSONPathElement]) throws(JSONParsingError) -> JSONValue? {
    try JSONExtractor(paths: [path]).values(in: bytes)[0]
  }

  /// The values at several paths, in their order, nil where there is none.
  public func values(at paths: [[JSONPathElement]]) throws(JSONParsingError) -> [JSONValue?] {
    try JSONExtractor(paths: paths).values(in: bytes)
  }
}
