import GarlandJSON
import GarlandWorkflow

/// The values that the JSONPaths of one step select in a response's body.
///
/// If all paths are singular, they are taken out of the bytes in one pass and no tree is built; the tree is made when a failure has to be explained, or
/// something else asks for it.
struct BodyValues {
  private let response: any ResponseView
  private let step: Step
  /// Those that are taken out together; nil before anybody has asked.
  private var paths: [[JSONPathElement]]?
  private var extracted: Result<[JSONValue?], ResponseDataError>?

  init(of step: Step, in response: any ResponseView) {
    self.response = response
    self.step = step
  }

  private static func paths(of step: Step) -> [[JSONPathElement]] {
    var paths: [[JSONPathElement]] = []
    var isSingular = true
    for expectation in step.expectations {
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
    // Other steps that look at all of the JSON make the tree anyway.
    let isWholeNeeded = step.neededByOthers.contains(.json) && step.jsonNeededByOthers == .everything
    return isSingular && !isWholeNeeded ? paths : []
  }

  /// The value at a singular path; nil if there is none.
  mutating func value(at elements: [JSONPathElement]) throws(ResponseDataError) -> JSONValue? {
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

  /// The whole body.
  func root() throws(ResponseDataError) -> JSONValue { try response.json() }
}

extension ResponseView {
  /// By way of the tree.
  package func jsonValues(at paths: [[JSONPathElement]]) throws(ResponseDataError) -> [JSONValue?] {
    let root = try json()
    return paths.map { root.value(at: $0) }
  }

  /// Why a body is no JSON, with what it is said to be.
  func noJSON(_ error: ResponseDataError) -> (message: String, help: String?) {
    let type = headers(named: "content-type").last
    guard let type, !type.lowercased().contains("json") else { return (error.message, nil) }
    return (error.message, "the \(noun)'s type is `\(Shown.cut(type, 80))`")
  }
}
