import GarlandJSON

/// The places of JSON values that are read from a body in a single pass, without parsing the rest of the body into a tree.
package struct BodyPaths: Sendable {
  /// JSONPaths that each select at most one value. If empty, the whole body is parsed into a tree.
  package let paths: [[JSONPathElement]]
  /// Reads the values at ``paths``.
  package let extractor: JSONExtractor

  /// No value is read in a single pass: the whole body is parsed. This is necessary for an item of a stream, because the JSONPaths of a
  /// step's expectations and extracts belong to the whole response, not to an item.
  package static let none = BodyPaths([])

  package init(_ paths: [[JSONPathElement]]) {
    self.paths = paths
    extractor = JSONExtractor(paths: paths)
  }
}
