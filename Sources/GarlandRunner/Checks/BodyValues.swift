import GarlandJSON
import GarlandWorkflow
import Synchronization

/// The values that the JSONPaths of a step select in a response's body.
///
/// If all paths are singular (each selects at most one value), their values are read from the bytes in a single pass. The whole body is
/// parsed into a tree only to explain a failure, or when another check needs the tree.
struct BodyValues {
  private let response: any ResponseView
  private let step: Step
  /// The JSONPaths of the step, such as those of its expectations and extracts, whose values are read in a single pass over the body. Nil
  /// before the first use. An empty list means that the whole body must be parsed.
  private var paths: [[JSONPathElement]]?
  private var extracted: Result<[JSONValue?], ResponseDataError>?

  /// Creates the values of a response.
  ///
  /// - Parameter isItem: whether the response is an item of a stream. The body of an item is always parsed as a whole, because the
  ///   JSONPaths that are read in a single pass belong to the whole response, not to an item.
  init(of step: Step, in response: any ResponseView, isItem: Bool = false) {
    self.response = response
    self.step = step
    if isItem { paths = [] }
  }

  /// A cache for the JSONPaths of the most recently checked step. Another step with the same list of expectations reuses these paths.
  private static let lastPaths = Mutex<(expectations: [Expectation], paths: [[JSONPathElement]])?>(nil)

  /// Returns the JSONPaths of the values that are read from the body of a step's response in a single pass. If only the step's expectations
  /// use the body, the paths are cached for steps that share these expectations. If the step has extracts or `poll`, for example, the paths
  /// are not cached.
  private static func paths(of step: Step) -> [[JSONPathElement]] {
    guard step.extractions.isEmpty, step.flow.repetition.poll == nil, !step.neededByOthers.contains(.json), step.graphQL == nil else {
      return findPaths(of: step)
    }
    return lastPaths.withLock { last in
      if let last, last.expectations.areIdentical(to: step.expectations) { return last.paths }
      let paths = findPaths(of: step)
      last = (step.expectations, paths)
      return paths
    }
  }

  /// The path of the member `errors` in a GraphQL response.
  static let errors: [JSONPathElement] = [.name("errors")]

  private static func findPaths(of step: Step) -> [[JSONPathElement]] {
    var paths: [[JSONPathElement]] = []
    var isSingular = true
    if step.graphQL != nil { paths.append(errors) }
    for expectation in step.judged {
      switch expectation.check {
      case .json(let path, _):
        if let elements = path.singularElements { paths.append(elements) } else { isSingular = false }
      case .schema: isSingular = false
      default: break
      }
    }
    for extraction in step.extractions {
      switch extraction.source {
      case .json(let path):
        if let elements = path.singularElements { paths.append(elements) } else { isSingular = false }
      case .pointer: isSingular = false
      default: break
      }
    }
    // If other steps read the whole JSON, the tree is created anyway.
    let isWholeNeeded = step.neededByOthers.contains(.json) && step.jsonNeededByOthers == .everything
    return isSingular && !isWholeNeeded ? paths : []
  }

  /// The format in which the body is parsed: JSON, or a property list.
  enum Format {
    case json, propertyList

    /// The key under `expect` whose checks read the body in this format.
    var key: String { self == .json ? "json" : "plist" }
  }

  /// Returns the value at a singular path; nil if the body has no value at this path.
  mutating func value(at elements: [JSONPathElement], in format: Format = .json) throws(ResponseDataError) -> JSONValue? {
    if format == .propertyList { return try response.propertyList().value(at: elements) }
    let paths = self.paths ?? Self.paths(of: step)
    self.paths = paths
    guard let position = paths.firstIndex(of: elements) else { return try response.json().value(at: elements) }
    if let extracted { return try extracted.get()[position] }
    let result: Result<[JSONValue?], ResponseDataError>
    do {
      result = .success(try response.jsonValues(at: paths))
    } catch {
      result = .failure(error)
    }
    extracted = result
    return try result.get()[position]
  }

  /// Returns the whole body, parsed in the given format.
  func root(of format: Format = .json) throws(ResponseDataError) -> JSONValue {
    format == .json ? try response.json() : try response.propertyList()
  }
}

extension [Expectation] {
  /// Returns whether both arrays share the same storage, which is faster to check than equality. False for arrays with different storage,
  /// even if they are equal.
  func areIdentical(to other: [Expectation]) -> Bool {
    withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && own.count == $0.count } }
  }
}

extension ResponseView {
  /// Parses the whole body and returns the value at each path; nil for a path at which the body has no value.
  package func jsonValues(at paths: [[JSONPathElement]]) throws(ResponseDataError) -> [JSONValue?] {
    let root = try json()
    return paths.map { root.value(at: $0) }
  }

  /// Returns the message and the help for a body that can't be parsed in the given format.
  ///
  /// The help shows the media type that the response declares. The help is nil if the response declares no type, or a type of this format.
  func noJSON(_ error: ResponseDataError, _ format: BodyValues.Format = .json) -> (message: String, help: String?) {
    let type = headers(named: "content-type").last
    guard let type, !type.lowercased().contains(format.key) else { return (error.message, nil) }
    return (error.message, "the \(noun)'s type is `\(Shown.cut(type, 80))`")
  }
}
