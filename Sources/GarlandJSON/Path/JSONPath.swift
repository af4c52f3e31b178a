/// A JSONPath query ([RFC 9535](https://www.rfc-editor.org/rfc/rfc9535)), parsed once for many
/// uses.
///
/// ```swift
/// let path = try JSONPath("$.store.book[?@.price < 10].title")
/// let titles = try path.values(in: document)
/// for node in try path.nodes(in: document) { print(node.location) }   // $['store']['book'][0]['title']
/// ```
///
/// Numbers are compared by their exact values, even beyond the precision of a double. If the text of the path contains an invalid I-Regexp,
/// parsing the path is an error. If the queried document contains an invalid I-Regexp that the path uses, this I-Regexp matches nothing, as
/// the standard requires.
public struct JSONPath: Sendable {
  /// The default limit for the number of values that an evaluation visits.
  public static let defaultStepLimit = 10_000_000

  /// The storage of a path. Copies of a path share one storage, so that each copy takes only the size of a pointer: documents contain the
  /// same few paths thousands of times.
  private final class Storage: Sendable {
    let text: String
    let query: JSONPathQuery

    init(_ text: String, _ query: JSONPathQuery) {
      self.text = text
      self.query = query
    }
  }

  private let storage: Storage

  /// The original text of the path.
  public var text: String { storage.text }
  var query: JSONPathQuery { storage.query }

  /// Parses a path.
  public init(_ text: String) throws(JSONPathError) {
    var parser = JSONPathParser(text)
    storage = Storage(text, try parser.parse())
  }

  /// Whether the path can select at most one node, because it consists of names and indexes only.
  public var isSingular: Bool { query.singularElements != nil }

  /// The names and indexes of a singular path, for ``JSONExtractor`` and ``JSONValue/value(at:)``; nil for any other path.
  public var singularElements: [JSONPathElement]? { query.singularElements }

  /// Returns the selected nodes with their locations, in the order that RFC 9535 requires.
  public func nodes(in root: JSONValue, stepLimit: Int = defaultStepLimit) throws(JSONPathEvaluationError) -> [JSONPathNode] {
    if let elements = query.singularElements { return JSONPath.node(at: elements, in: root).map { [$0] } ?? [] }
    var evaluation = JSONPathEvaluation(root: root, stepLimit: stepLimit, tracksLocations: true)
    return try evaluation.nodes(of: query).map { JSONPathNode(location: evaluation.path(of: $0), value: $0.value) }
  }

  /// Returns the values of the selected nodes. This is faster than ``nodes(in:stepLimit:)``.
  public func values(in root: JSONValue, stepLimit: Int = defaultStepLimit) throws(JSONPathEvaluationError) -> [JSONValue] {
    if let elements = query.singularElements { return root.value(at: elements).map { [$0] } ?? [] }
    var evaluation = JSONPathEvaluation(root: root, stepLimit: stepLimit, tracksLocations: false)
    return try evaluation.nodes(of: query).map(\.value)
  }

  /// Returns the node that a singular path selects; nil if the path selects no node. In the node's location, all indexes are counted from
  /// the start of their arrays.
  private static func node(at elements: [JSONPathElement], in root: JSONValue) -> JSONPathNode? {
    var value = root
    var path: [JSONPathElement] = []
    path.reserveCapacity(elements.count)
    for element in elements {
      guard let next = value.value(at: [element]) else { return nil }
      if case .index(let index) = element, index < 0, case .array(let array) = value {
        path.append(.index(array.count + index))
      } else {
        path.append(element)
      }
      value = next
    }
    return JSONPathNode(location: NormalizedPath(path), value: value)
  }
}

extension JSONPath: Hashable, CustomStringConvertible {
  /// Whether both paths have the same text.
  public static func == (lhs: JSONPath, rhs: JSONPath) -> Bool {
    lhs.text.isIdentical(to: rhs.text)
  }

  /// Hashes the text of the path.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }

  /// The original text of the path.
  public var description: String { text }
}

extension JSONValue {
  /// Returns the value at a path of names and indexes; nil if there is no value at the path.
  public func value(at path: [JSONPathElement]) -> JSONValue? {
    var current = self
    for element in path {
      let next: JSONValue? =
        switch element {
        case .name(let name): current[name]
        case .index(let index): current[index]
        }
      guard let next else { return nil }
      current = next
    }
    return current
  }
}
