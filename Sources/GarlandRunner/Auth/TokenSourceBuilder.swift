import GarlandAuth
import GarlandCrypto
import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// Evaluates the values of an `auth` entry in a document, and creates from them the OAuth configuration that GarlandAuth uses.
struct TokenSourceBuilder {
  let definition: AuthDefinition
  let template: OAuth2Template
  let context: any EvaluationContext
  let files: FileAccess
  let directory: String
  /// Records the values of the templates in the `auth` entry. From these values, a key is computed that identifies the OAuth 2
  /// configuration.
  private let trace = Trace()

  init(definition: AuthDefinition, template: OAuth2Template, context: any EvaluationContext, files: FileAccess, directory: String) {
    self.definition = definition
    self.template = template
    self.context = context
    self.files = files
    self.directory = directory
  }

  private final class Trace {
    var parts: [String] = []
  }

  /// Returns the OAuth configuration, and a key that distinguishes it from other configurations. The key contains secrets, so it must be
  /// kept only in memory.
  ///
  /// Two configurations that differ in any way, for example in how the client authenticates, have separate tokens: a test may expect the
  /// provider to reject one of these configurations.
  ///
  /// - Parameters:
  ///   - others: returns the token manager of another entry of `auth` by its index.
  ///   - agent: creates the agent that logs in on the provider's pages. The argument of this closure is the document's redirect URI; nil if
  ///     the document sets none.
  ///   - show: shows the user the code that must be entered for a device authorization.
  func configuration(
    others: (Int) throws(RequestRefusal) -> TokenManager, agent: (String?) throws(RequestRefusal) -> any AuthorizationAgent,
    show: @escaping @Sendable (DeviceAuthorization) async -> Void
  ) throws(RequestRefusal) -> (configuration: OAuthConfiguration, key: String) {
    let clientID = try text(template.clientID)
    let clientSecret = try secret(template.clientSecret)
    let grant: OAuthGrant
    var user: String?
    switch template.grant {
    case .clientCredentials: grant = .clientCredentials
    case .password: grant = .password(user: try text(template.username) ?? "", password: try secret(template.password) ?? "")
    case .refreshToken: grant = .refreshToken(try secret(template.refreshToken) ?? "")
    case .authorizationCode:
      grant = .authorizationCode(try agent(try text(template.redirectURI)))
      user = try walker()
    case .deviceCode: grant = .deviceCode(show: show)
    case .jwtBearer: grant = .jwtBearer(try assertion(clientID))
    case .tokenExchange:
      func party(_ other: Int?, _ token: Template?, _ type: Template?) throws(RequestRefusal) -> TokenExchangeParty? {
        let type = try text(type) ?? TokenExchange.accessToken
        if let other {
          let manager = try others(other)
          trace.parts.append("\(ObjectIdentifier(manager))")
          return .identity(manager, type: type)
        }
        return try secret(token).map { .token($0, type: type) }
      }
      let subject = try party(template.subject, template.subjectToken, template.subjectTokenType) ?? .token("")
      grant = .tokenExchangeOf(subject: subject, actor: try party(template.actor, template.actorToken, template.actorTokenType))
    }
    var configuration = OAuthConfiguration(grant: grant, clientID: clientID)
    configuration.issuer = try endpoint(template.issuer)
    configuration.endpoints.token = try endpoint(template.tokenURL)
    configuration.endpoints.authorization = try endpoint(template.authorizeURL)
    configuration.endpoints.deviceAuthorization = try endpoint(template.deviceURL)
    configuration.endpoints.keys = try endpoint(template.keysURL)
    configuration.scope = try list(template.scope).flatMap { $0.split(separator: " ").map { String($0) } }
    configuration.audience = try list(template.audience)
    configuration.resource = try list(template.resource)
    if let extra = template.extra, let members = try value(extra).json.objectValue {
      configuration.extra = members.map { ($0.key, $0.value.stringValue ?? $0.value.jsonText()) }
    }
    configuration.authentication = try authentication(clientSecret)
    configuration.user = user
    let key = [configuration.identity, template.grant.rawValue, template.clientAuth?.rawValue ?? ""] + trace.parts
    return (configuration, key.map { "\($0.utf8.count) \($0)" }.joined(separator: "\n"))
  }

  /// Evaluates a template and registers the resulting text as a secret, even if the document does not declare it as a secret. Returns nil
  /// if the template is nil.
  private func secret(_ template: Template?) throws(RequestRefusal) -> String? {
    guard let text = try text(template) else { return nil }
    context.secretRegistry.register(secret: text)
    return text
  }

  /// Returns an identifier for the user whom the `authorize` steps log in. The identifier is a digest of these steps and of the values that
  /// the steps use, with secrets masked. Returns nil if there are no `authorize` steps, since the user is then unknown before the login.
  private func walker() throws(RequestRefusal) -> String? {
    guard template.authorize != nil else { return nil }
    var seen: [String] = [definition.range.text]
    for input in definition.inputs {
      guard let value = try used(input.target) else { continue }
      trace.parts.append(value.json.jsonText())
      seen.append(value.masked.jsonText())
    }
    trace.parts.append(definition.range.text)
    do throws(CryptoError) {
      return "by steps \(try Digest(of: seen.joined(separator: "\n").utf8, using: .sha256).hex.prefix(16))"
    } catch {
      throw refusal("has no key for its tokens: \(error)")
    }
  }

  /// Returns the value of an input, such as a variable or a secret, that the steps under the key `authorize` use. Returns nil if the value
  /// is not set.
  private func used(_ target: InputReference.Target) throws(RequestRefusal) -> Value? {
    do throws(EvaluationError) {
      switch target {
      case .variable(let index): return try context.variable(index)
      case .input(let index): return try context.input(index)
      case .environment(let index): return context.environmentVariable(index).map { .plain(.string($0)) }
      case .secret(let index): return context.secret(index).map { .secret(.string($0)) }
      case .authentication: return nil
      }
    } catch {
      guard error.isUndefined else { throw .value(error) }
      return nil
    }
  }

  private func authentication(_ secret: String?) throws(RequestRefusal) -> OAuthClientAuthentication {
    let byDefault: OAuth2Template.ClientAuth =
      secret != nil
      ? .basic
      : template.clientCertificate != nil
        ? .certificate : template.clientKey != nil && template.grant != .jwtBearer ? .privateKeyJWT : .none
    switch template.clientAuth ?? byDefault {
    case .none: return .none
    case .basic: return .basic(secret: try needed(secret, "client_secret"))
    case .post: return .post(secret: try needed(secret, "client_secret"))
    case .secretJWT: return .secretJWT(secret: try needed(secret, "client_secret"), algorithm: try algorithm(or: .hs256))
    case .privateKeyJWT:
      let key = try needed(try clientKey(), "client_key")
      return .privateKeyJWT(key: key, algorithm: try algorithm(for: key))
    // For the client, both methods are the same. Only the provider verifies the certificate differently (RFC 8705, section 2).
    case .certificate, .selfSignedCertificate:
      guard let certificate = template.clientCertificate else { throw refusal("needs a `client_certificate`") }
      let (file, key) = (try path(certificate), try template.clientKey.map(path))
      trace.parts += [file, key ?? ""]
      return .certificate(file: file, key: key, password: try self.secret(template.clientKeyPassword))
    }
  }

  private func assertion(_ clientID: String?) throws(RequestRefusal) -> OAuthAssertion {
    guard let assertion = template.assertion else { return .text(try secret(template.assertionText) ?? "") }
    let key = try needed(try clientKey(), "client_key")
    let issuer = try needed(try text(assertion.issuer) ?? clientID, "assertion.issuer")
    var signed = SignedAssertion(
      issuer: issuer, subject: try text(assertion.subject) ?? "", audience: try text(assertion.audience), key: key,
      algorithm: try algorithm(for: key))
    if let claims = assertion.claims { signed.claims = try value(claims).json.objectValue ?? [:] }
    return .signed(signed)
  }

  private func clientKey() throws(RequestRefusal) -> JSONWebKey? {
    guard let file = template.clientKey else { return nil }
    let bytes: [UInt8]
    do throws(WorkflowFileError) {
      bytes = try files.read(try plain(file), from: directory, limit: 1 << 20)
    } catch {
      throw refusal("cannot read `client_key`: \(error.message)")
    }
    let content = String(decoding: bytes, as: UTF8.self)
    trace.parts.append(content)
    let password = try secret(template.clientKeyPassword)
    do throws(KeyError) {
      var key =
        content.contains("-----BEGIN")
        ? JSONWebKey(.privateKey(try PrivateKey(pem: content, passphrase: password))) : try JSONWebKey(parsing: content)
      if let id = try keyID() { key.keyID = id }
      return key
    } catch {
      let help: String? =
        switch error {
        case .passphraseNeeded: "give the passphrase: `client_key_password: '${secrets.KEY_PASSWORD}'`"
        case .wrongPassphrase: "check that `client_key_password` is the passphrase of the key"
        default: nil
        }
      throw refusal("`client_key` can't be used: \(error)", help: help)
    }
  }

  private func keyID() throws(KeyError) -> String? {
    do throws(RequestRefusal) {
      return try text(template.keyID)
    } catch {
      throw .malformed("`key_id` has no value")
    }
  }

  private func algorithm(for key: JSONWebKey) throws(RequestRefusal) -> SignatureAlgorithm {
    let byDefault: SignatureAlgorithm =
      switch key.type {
      case .rsa: .rs256
      case .ellipticCurve(.p256): .es256
      case .ellipticCurve(.p384): .es384
      case .ellipticCurve(.p521): .es512
      case .ed25519: .edDSA
      case nil: .hs256
      }
    return try algorithm(or: key.algorithm.flatMap { SignatureAlgorithm(rawValue: $0) } ?? byDefault)
  }

  private func algorithm(or byDefault: SignatureAlgorithm) throws(RequestRefusal) -> SignatureAlgorithm {
    guard let name = try text(template.algorithm) else { return byDefault }
    guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw refusal("has an unknown `algorithm`: \(name)") }
    return algorithm
  }

  private func path(_ file: FileTemplate) throws(RequestRefusal) -> String {
    do throws(WorkflowFileError) {
      return try files.locate(try plain(file), from: directory)
    } catch {
      throw refusal("a file can't be used: \(error.message)")
    }
  }

  private func plain(_ file: FileTemplate) throws(WorkflowFileError) -> String {
    if let resolved = file.resolved { return resolved }
    do throws(RequestRefusal) {
      return try text(file.path) ?? ""
    } catch {
      throw WorkflowFileError("its path has no value")
    }
  }

  private func endpoint(_ url: Template?) throws(RequestRefusal) -> String? {
    do throws(EvaluationError) {
      let text = try template.endpoint(url, in: context)
      if let text { trace.parts.append(text) }
      return text
    } catch {
      throw .value(error)
    }
  }

  private func text(_ template: Template?) throws(RequestRefusal) -> String? {
    guard let template else { return nil }
    do throws(EvaluationError) {
      let text = try template.evaluateText(in: context).text
      trace.parts.append(text)
      return text
    } catch {
      throw .value(error)
    }
  }

  private func value(_ template: ValueTemplate) throws(RequestRefusal) -> Value {
    do throws(EvaluationError) {
      let value = try template.evaluate(in: context)
      trace.parts.append(value.json.jsonText())
      return value
    } catch {
      throw .value(error)
    }
  }

  private func list(_ template: ValueTemplate?) throws(RequestRefusal) -> [String] {
    guard let template else { return [] }
    let value = try value(template).json
    return (value.arrayValue ?? [value]).map { $0.stringValue ?? $0.jsonText() }
  }

  private func needed<Wrapped>(_ value: Wrapped?, _ key: String) throws(RequestRefusal) -> Wrapped {
    guard let value else { throw refusal("needs `\(key)`") }
    return value
  }

  private func refusal(_ message: String, help: String? = nil) -> RequestRefusal {
    var failure = CheckFailure(.value, subject: "auth.\(definition.name.value)", message: message, at: definition.name.range)
    failure.help = help
    return .request(failure)
  }
}
