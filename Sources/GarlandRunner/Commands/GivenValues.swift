import GarlandJSON
import GarlandWorkflow

/// Evaluates a step's expressions for a command that sends no requests. The user provides the values that would come from other steps.
final class GivenContext: EvaluationContext {
  private let document: DocumentValues
  /// The values that the user provides. The keys consist of a step and a member, such as `create.id`.
  private let given: [String: JSONValue]

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - document: the variables, secrets and environment of the document.
  ///   - given: the values that the user has provided, by `step.member`, such as `create.id` or `create.json`.
  ///   - item: the item of a loop.
  init(document: DocumentValues, given: [String: JSONValue], item: Value? = nil) {
    self.item = item
    self.document = document
    self.given = given
  }

  func variable(_ index: Int) throws(EvaluationError) -> Value { try document.variable(index) }
  func input(_ index: Int) throws(EvaluationError) -> Value? { try document.input(index) }
  func secret(_ index: Int) -> String? { document.secret(index) }
  func environmentVariable(_ index: Int) -> String? { document.environmentVariable(index) }

  func extracted(_ index: Int, of step: Int) -> Value? {
    let name = document.workflow.name(ofStep: step)
    let step = document.workflow.step(named: step)
    guard step.extractions.indices.contains(index) else { return nil }
    return given["\(name).\(step.extractions[index].name.value)"].map { .plain($0) }
  }

  func response(of step: Int) -> (any ResponseData)? {
    let id = document.workflow.name(ofStep: step)
    let members = ResponseMember.allCases.reduce(into: [ResponseMember: JSONValue]()) { $0[$1] = given["\(id).\($1.rawValue)"] }
    return members.isEmpty ? nil : GivenResponse(members)
  }

  func context(ofAuthentication index: Int) -> (any EvaluationContext)? {
    document.foreign[index].map { GivenContext(document: $0, given: [:]) }
  }

  /// Returns a placeholder for the access token of an `auth` entry; nil for any other property of the entry. In the curl command that is
  /// created for a step, a shell variable replaces the placeholder.
  func authentication(_ index: Int, _ member: AuthMember) -> Value? {
    guard member == .accessToken else { return nil }
    return .secret(.string(GivenContext.standIn(forTokenOf: document.workflow.authentications[index].name.value)))
  }

  static func standIn(forTokenOf name: String) -> String { StandIn.telling("the-token-of-\(name)") }

  func address(of step: Int) -> Value? {
    given["\(document.workflow.name(ofStep: step)).\(ResponseMember.url.rawValue)"].map { .plain($0) }
  }

  func absence(of step: Int) -> String? { "it was not run" }
  var currentResponse: (any ResponseData)? { nil }
  let item: Value?
  var index: Int? { item == nil ? nil : 0 }
  var services: EvaluationServices { document.services }
}

/// The response of another step, for a command that sends no requests. The response has only the members that the user has provided.
/// The command first checks that the step uses no other members of the response.
private final class GivenResponse: ResponseData {
  private let members: [ResponseMember: JSONValue]

  init(_ members: [ResponseMember: JSONValue]) { self.members = members }

  var status: Int { members[.status]?.intValue ?? 0 }
  var url: String { members[.url]?.stringValue ?? "" }
  var time: Double { members[.time]?.doubleValue ?? 0 }
  var size: Int { members[.size]?.intValue ?? 0 }
  var version: String { members[.version].map { $0.stringValue ?? $0.jsonText() } ?? "" }
  var redirects: [JSONValue] { members[.redirects]?.arrayValue ?? [] }
  var allHeaders: [(name: String, value: String)] { pairs(.headers) }
  var allCookies: [(name: String, value: String)] { pairs(.cookies) }

  func headers(named name: String) -> [String] {
    allHeaders.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  func cookie(named name: String) -> String? { allCookies.last { $0.name == name }?.value }

  func json() throws(ResponseDataError) -> JSONValue {
    guard let json = members[.json] else { throw ResponseDataError("the body is not given") }
    return json
  }

  func text() throws(ResponseDataError) -> String {
    guard let text = members[.text] else { throw ResponseDataError("the body is not given") }
    return text.stringValue ?? text.jsonText()
  }

  private func pairs(_ member: ResponseMember) -> [(name: String, value: String)] {
    (members[member]?.objectValue ?? [:]).map { ($0.key, $0.value.stringValue ?? $0.value.jsonText()) }
  }
}
