import GarlandAuth
import GarlandCrypto
import GarlandTransfer
import GarlandText
import GarlandWorkflow
import HTTPTypes

extension RequestDraft {
  /// Adds the credentials of an `auth` entry to the request.
  mutating func add(_ definition: AuthDefinition, _ index: Int, _ context: some EvaluationContext) throws(RequestRefusal) {
    if let origin = definition.origin, definition.oauth2 == nil {
      guard let other = context.context(ofAuthentication: index) else {
        throw refusal("auth.\(definition.name.value)", "has no values", at: definition.name.range)
      }
      let own = directory
      directory = origin.workflow.directory
      defer { directory = own }
      try add(origin.workflow.authentications[origin.index], origin.index, other)
      return
    }
    switch definition.kind {
    case .basic(let template):
      let (user, password) = try pair(template, context)
      built.transfer.credential = .basic(user: user, password: password)
    case .digest(let template):
      let (user, password) = try pair(template, context)
      built.transfer.credential = .digest(user: user, password: password)
    case .ntlm(let template):
      let (user, password) = try pair(template, context)
      built.transfer.credential = .ntlm(user: user, password: password)
    case .negotiate: built.transfer.credential = .negotiate
    case .bearer(let template): built.transfer.credential = .bearer(try token(template, "bearer", context))
    case .aws(let aws):
      built.transfer.credential = .aws(
        AWSCredential(
          accessKey: try line(aws.accessKey, "access_key", context), secretKey: try secret(aws.secretKey, context),
          sessionToken: try aws.sessionToken.map { (template) throws(RequestRefusal) in
            _ = try line(template, "session_token", context)
            return try secret(template, context)
          },
          region: try line(aws.region, "region", context), service: try line(aws.service, "service", context)))
    case .apiKey(let key): try add(key, context)
    case .oauth1(let template): built.signer = try signer(template, definition, context)
    case .oauth2:
      guard let token = context.authentication(index, .accessToken)?.json.stringValue else {
        throw refusal("auth.\(definition.name.value)", "has no token", at: definition.name.range)
      }
      built.transfer.credential = .bearer(token)
      built.authentication = index
    }
  }

  private mutating func add(_ key: APIKeyTemplate, _ context: some EvaluationContext) throws(RequestRefusal) {
    switch key.place {
    case .header(let name):
      guard let field = HTTPField.Name(name) else { throw refusal("auth", "`\(name)` is not a valid header name", at: key.value.range) }
      built.transfer.headerFields[field] = try token(key.value, name, context)
      built.transfer.credentialFields.insert(field)
    case .query(let name):
      let pair = "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(try secret(key.value, context)))"
      let url = built.transfer.url
      let end = url.firstIndex(of: "#") ?? url.endIndex
      built.transfer.url = "\(url[..<end])\(url[..<end].contains("?") ? "&" : "?")\(pair)\(url[end...])"
    case .cookie(let name):
      let value = try token(key.value, name, context)
      guard !value.utf8.contains(UInt8(ascii: ";")) else {
        throw refusal("auth", "has a `;`, which is not allowed in a cookie", at: key.value.range)
      }
      let known = built.transfer.headerFields[.cookie].map { "\($0); " } ?? ""
      built.transfer.headerFields[.cookie] = "\(known)\(name)=\(value)"
    }
  }

  private func signer(
    _ template: OAuth1Template, _ definition: AuthDefinition, _ context: some EvaluationContext
  ) throws(RequestRefusal) -> OAuth1Interceptor {
    let method: OAuth1Method
    switch template.method {
    case .hmacSHA1: method = .hmacSHA1
    case .hmacSHA256: method = .hmacSHA256
    case .plaintext: method = .plaintext
    case .rsaSHA1: method = .rsaSHA1(try key(template, definition, context))
    }
    func optional(_ template: Template?) throws(RequestRefusal) -> String? {
      guard let template else { return nil }
      return try text(template, context).text
    }
    var signer = OAuth1Signer(
      consumerKey: try text(template.consumerKey, context).text,
      consumerSecret: try template.consumerSecret.map { (template) throws(RequestRefusal) in try secret(template, context) } ?? "",
      token: try optional(template.token),
      tokenSecret: try template.tokenSecret.map { (template) throws(RequestRefusal) in try secret(template, context) } ?? "",
      method: method,
      realm: try optional(template.realm))
    if let callback = try optional(template.callback) { signer.parameters.append(("oauth_callback", callback)) }
    if let verifier = try optional(template.verifier) { signer.parameters.append(("oauth_verifier", verifier)) }
    let now = context.services.now
    return OAuth1Interceptor(signer, environment: AuthEnvironment(now: now))
  }

  private func key(
    _ template: OAuth1Template, _ definition: AuthDefinition, _ context: some EvaluationContext
  ) throws(RequestRefusal) -> PrivateKey {
    let subject = "auth.\(definition.name.value)"
    guard let file = template.key else { throw refusal(subject, "needs a `key`", at: definition.name.range) }
    let path = try path(of: file, context)
    do {
      return try PrivateKey(pem: String(decoding: try files.read(path, from: directory, limit: 1 << 20), as: UTF8.self))
    } catch {
      throw refusal(subject, "has a `key` that cannot be used: \(error)", at: definition.name.range)
    }
  }

  private func pair(_ template: Template, _ context: some EvaluationContext) throws(RequestRefusal) -> (String, String) {
    let pair = try text(template, context).text
    let colon = pair.firstIndex(of: ":") ?? pair.endIndex
    let password = String(pair[colon...].dropFirst())
    if template.constant == nil { context.secretRegistry.register(secret: password) }
    return (String(pair[..<colon]), password)
  }

  /// Evaluates a text that becomes part of a header field. Throws if the text contains a line break or a control character.
  private func line(_ template: Template, _ name: String, _ context: some EvaluationContext) throws(RequestRefusal) -> String {
    let text = try text(template, context).text
    guard HTTPField.isValidValue(text) else {
      throw refusal(name, "has a line break or a control character, which is not allowed here", at: template.range)
    }
    return text
  }

  private func token(_ template: Template, _ name: String, _ context: some EvaluationContext) throws(RequestRefusal) -> String {
    let token = try secret(template, context)
    guard HTTPField.isValidValue(token), !token.isEmpty else {
      throw refusal(
        name, token.isEmpty ? "is empty" : "has a line break or a control character, which is not allowed here", at: template.range)
    }
    return token
  }

  private func secret(_ template: Template, _ context: some EvaluationContext) throws(RequestRefusal) -> String {
    let text = try text(template, context).text
    if template.constant == nil { context.secretRegistry.register(secret: text) }
    return text
  }
}
