import GarlandJSON
import GarlandWorkflow

/// The values that the JSONPaths of a step select in a response's body.
///
/// If all paths are singular (each selects at most one value), their values are read from the bytes in a single pass. The whole body is
/// parsed into a tree only to explain a failure, or when another check needs the tree.
struct BodyValues {
  private let response: any ResponseView
  private let step: Step
  /// The JSONPaths whose values are read in a single pass over the body; nil before the first use.
  private var paths: BodyPaths?
  private var extracted: Result<[JSONValue?], ResponseDataError>?

  /// Creates the values of a response.
  ///
  /// - Parameter paths: the JSONPaths whose values are read in a single pass; if nil, they are computed when they are first needed.
  init(of step: Step, in response: any ResponseView, paths: BodyPaths? = nil) {
    self.response = response
    self.step = step
    self.paths = paths
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
    let paths = self.paths ?? BodyPaths(of: step)
    self.paths = paths
    guard let position = paths.paths.firstIndex(of: elements) else { return try response.json().value(at: elements) }
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

extension BodyPaths {
  /// The path of the member `errors` in a GraphQL response.
  static let errors: [JSONPathElement] = [.name("errors")]

  /// Finds the paths that the expectations and extracts of a step use.
  init(of step: Step) {
    var paths: [[JSONPathElement]] = []
    var isSingular = true
    if step.graphQL != nil { paths.append(Self.errors) }
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
    self.init(isSingular && !isWholeNeeded ? paths : [])
  }
}

extension ResponseView {
  /// Parses the whole body and returns the value at each path; nil for a path at which the body has no value.
  package func jsonValues(at places: BodyPaths) throws(ResponseDataError) -> [JSONValue?] {
    let root = try json()
    return places.paths.map { root.value(at: $0) }
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
