import GarlandAuth
import GarlandJSON
import GarlandTransfer
import GarlandWorkflow
import HTTPTypes

/// Explains an unexpected status 401 or 403: which credentials were sent, and what the server's response says about them.
struct RefusedCredential {
  private static let longestDescription = 300
  private static let mostChallenges = 4
  private static let mostNames = 3
  private static let largestBody = 64 << 10

  private let step: Step
  private let workflow: Workflow
  private let request: BuiltRequest
  private let response: TransferResponse

  init(_ step: Step, of workflow: Workflow, _ request: BuiltRequest, _ response: TransferResponse) {
    self.step = step
    self.workflow = workflow
    self.request = request
    self.response = response
  }

  /// The lines that explain the status 401 or 403; empty for any other status.
  var lines: [String] {
    guard [401, 403].contains(response.status.code) else { return [] }
    return [response.ticketProblem == nil ? sent : nil, challenges].compactMap { $0 }
  }

  // MARK: Credentials that were sent

  private var sent: String? {
    let transfer = request.transfer
    if !transfer.leadsToSameOrigin(as: response), let host = (try? URLReference(response.url))?.host {
      return "a redirect led to \(host), and no credentials were sent there"
    }
    guard let auth = step.request?.auth, !auth.sendsNothing, isInRequest(auth) else {
      if transfer.headerFields[.authorization] != nil { return "the step's own header `Authorization` was sent" }
      if let url = try? URLReference(transfer.url), url.userInfo != nil { return "the user and the password in the URL were sent" }
      guard transfer.credentialFields.isEmpty, response.status.code == 401 else { return nil }
      let names = credentialsInBody
      if !names.isEmpty { return "the credentials in the body were sent: \(names.map { "`\($0)`" }.joined(separator: ", "))" }
      return "no credentials were sent: the step has no `auth`, `bearer`, `basic` or `digest` that goes to this server"
    }
    // Digest credentials are sent only in response to a challenge.
    if case .digest? = transfer.credential, response.request.headerFields[.authorization] == nil {
      return "`digest` sent no credentials, because the server did not ask for Digest authentication"
    }
    switch auth.kind {
    case .none: return nil
    case .bearer: return "the token of `bearer` was sent"
    case .basic, .digest: return "\(pair) was sent with `\(transfer.credential.map(Self.word) ?? "basic")`"
    case .named(let index):
      let definition = workflow.authentications[index]
      return "the `auth` entry `\(definition.name.value)` sent \(Self.words(for: definition.kind, pair))"
    }
  }

  /// The names of the members or form fields of the request's body that contain credentials, such as `password`.
  private var credentialsInBody: [String] {
    guard case .bytes(let bytes) = request.transfer.body, bytes.count <= Self.largestBody else { return [] }
    var names: [String] = []
    if let value = try? JSONValue(parsing: bytes) {
      Self.collectNames(of: value, into: &names)
    } else {
      names = bytes.split(separator: UInt8(ascii: "&")).map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
    }
    return names.filter { CredentialName.isCredential($0) }.prefix(Self.mostNames).map(Self.plain)
  }

  private static func collectNames(of value: JSONValue, into names: inout [String]) {
    switch value {
    case .object(let members):
      for (name, member) in members {
        names.append(name)
        collectNames(of: member, into: &names)
      }
    case .array(let items): for item in items { collectNames(of: item, into: &names) }
    case .null, .bool, .number, .string: break
    }
  }

  private func isInRequest(_ auth: AuthTemplate) -> Bool {
    if request.transfer.credential != nil || request.signer != nil { return true }
    guard case .named(let index) = auth.kind, case .apiKey(let key) = workflow.authentications[index].kind else { return false }
    switch key.place {
    case .header(let name): return HTTPField.Name(name).map { request.transfer.headerFields[$0] != nil } ?? false
    case .query, .cookie: return true
    }
  }

  /// The words for the request's password in messages, such as "the password of `alice`". They never contain the password itself.
  private var pair: String {
    switch request.transfer.credential {
    case .basic(let user, _)?, .digest(let user, _)?, .ntlm(let user, _)?: "the password of `\(PlainText.of(user))`"
    default: "a password"
    }
  }

  private static func word(_ credential: Credential) -> String { if case .digest = credential { "digest" } else { "basic" } }

  private static func words(for kind: AuthDefinition.Kind, _ pair: String) -> String {
    switch kind {
    case .basic, .digest, .ntlm: pair
    case .negotiate: "a Kerberos ticket"
    case .bearer, .oauth2: "a bearer token"
    case .aws: "a signature of AWS, version 4"
    case .oauth1: "a signature of OAuth 1"
    case .apiKey(let key):
      switch key.place {
      case .header(let name): "a key in the header `\(name)`"
      case .query(let name): "a key as `\(name)` in the query"
      case .cookie(let name): "a key in the cookie `\(name)`"
      }
    }
  }

  // MARK: The server's response

  /// A description of the challenges in the field `WWW-Authenticate` (RFC 9110, section 11.6.1; for bearer tokens RFC 6750, section 3); nil
  /// if there are none.
  private var challenges: String? {
    let all = AuthenticationChallenge.all(in: response.headerFields)
    guard !all.isEmpty else { return nil }
    let shown = all.prefix(Self.mostChallenges).map(Self.words).joined(separator: "; or ")
    return "the server asks for \(shown)\(all.count > Self.mostChallenges ? "; …" : "")"
  }

  private static func words(for challenge: AuthenticationChallenge) -> String {
    var text = challenge.scheme
    if let realm = challenge["realm"], !realm.isEmpty { text += ", realm \"\(plain(realm))\"" }
    guard let error = challenge["error"] else { return text }
    text += ": \(plain(error))"
    if let description = challenge["error_description"], !description.isEmpty { text += ", \(plain(description))" }
    if let scope = challenge["scope"], !scope.isEmpty { text += " (scope \"\(plain(scope))\")" }
    return text
  }

  private static func plain(_ text: String) -> String { Shown.cut(PlainText.of(text), longestDescription) }
}
