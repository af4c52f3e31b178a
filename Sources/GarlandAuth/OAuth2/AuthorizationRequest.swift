import GarlandCrypto
import GarlandTransfer

/// A request for an authorization code, under way: where the user goes, and what has to come back.
///
/// Made by ``TokenManager``; an ``AuthorizationAgent`` takes ``url`` to the user and brings back the redirect.
public struct AuthorizationRequest: Sendable, CustomStringConvertible {
  /// The page that the user has to visit.
  public let url: String
  /// Where the provider sends the user when it is done. What arrives there goes back to whoever asked; it is not requested.
  public let redirectURI: String
  let state: String
  let nonce: String?
  let proof: ProofKey
  let issuer: String?
  /// Whether the answer has to say which issuer it comes from.
  let requiresIssuer: Bool

  /// A request with fresh state, nonce and verifier.
  init(
    endpoint: String, redirectURI: String, _ configuration: OAuthConfiguration, requiresIssuer: Bool, isShown: Bool = false,
    _ environment: AuthEnvironment
  ) throws(OAuthError) {
    guard let clientID = configuration.clientID else { throw .configuration("an authorization code needs a client_id") }
    // A browser is sent there, so it must be nothing that another program would be started for.
    guard let base = try? URLReference(endpoint), base.scheme == "http" || base.scheme == "https", base.host != nil, base.fragment == nil
    else {
      throw .configuration("the authorization endpoint \(PlainText.of(endpoint)) is no absolute http or https URL without a fragment")
    }
    guard let proof = ProofKey(verifier: try environment.randomText(32)) else { throw .key("the verifier is too short") }
    self.proof = proof
    state = try environment.randomText(16)
    nonce = configuration.scope.contains("openid") ? try environment.randomText(16) : nil
    environment.registerSecret(proof.verifier)
    if !isShown { environment.registerSecret(state) }
    self.redirectURI = redirectURI
    issuer = configuration.issuer
    self.requiresIssuer = requiresIssuer
    let challenge: String
    do throws(CryptoError) {
      challenge = try proof.challenge()
    } catch {
      throw .key("\(error)")
    }
    var fields = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI), ("state", state),
      ("code_challenge", challenge), ("code_challenge_method", "S256"),
    ]
    if let nonce { fields.append(("nonce", nonce)) }
    if !configuration.scope.isEmpty { fields.append(("scope", configuration.scope.joined(separator: " "))) }
    for audience in configuration.audience { fields.append(("audience", audience)) }
    for resource in configuration.resource { fields.append(("resource", resource)) }
    for (name, value) in configuration.extra { fields.append((name, value)) }
    try configuration.checkExtra(in: fields)
    let separator = base.query == nil ? "?" : base.query?.isEmpty == true ? "" : "&"
    url = "\(endpoint)\(separator)\(OAuthFormRequest.encode(fields))"
  }

  /// What nobody may see of a redirect, whoever sent it: known before anything of it is checked, and perhaps shown.
  static func secrets(of redirect: String) -> [String] {
    FormFields.parse((try? URLReference(redirect))?.query ?? "").filter { $0.name == "code" }.map(\.value)
  }

  /// Whether a redirect has the state of this request: nobody else can have made it.
  func isOwn(_ redirect: String) -> Bool {
    FormFields.parse((try? URLReference(redirect))?.query ?? "").contains {
      $0.name == "state" && constantTimeEqual($0.value.utf8, state.utf8)
    }
  }

  /// The code in a redirect. Checks that it is the answer to this request: the same redirect, state and, where the provider says who it is
  /// (RFC 9207), the same provider.
  func code(from redirect: String) throws(OAuthError) -> String {
    guard isAnswer(redirect) else { throw .invalidCallback("it leads to another place than \(redirectURI)") }
    var values: [String: String] = [:]
    for (name, value) in FormFields.parse((try? URLReference(redirect))?.query ?? "") where values.updateValue(value, forKey: name) != nil {
      throw .invalidCallback("\(PlainText.of(name)) is repeated")
    }
    // Before anything else is believed.
    guard let received = values["state"] else { throw .invalidCallback("it has no state") }
    guard constantTimeEqual(received.utf8, state.utf8) else {
      throw .invalidCallback("its state is not the one that was sent: somebody else may have begun this login")
    }
    if let sender = values["iss"], let known = issuer, sender != known {
      throw .invalidCallback("it comes from the issuer \(PlainText.of(sender)), expected \(known)")
    }
    if requiresIssuer, values["iss"] == nil { throw .invalidCallback("it does not say which issuer it comes from") }
    if let error = values["error"] {
      throw .refused(
        OAuthRefusal(
          code: PlainText.of(error), details: values["error_description"].map(PlainText.of), page: values["error_uri"].map(PlainText.of)),
        .authorization)
    }
    guard let code = values["code"], !code.isEmpty else { throw .invalidCallback("it has neither a code nor an error") }
    return code
  }

  /// Whether a URL is this request's redirect URI with what the provider has added to its query.
  public func isAnswer(_ url: String) -> Bool {
    guard let found = try? URLReference(url), let wanted = try? URLReference(redirectURI) else { return false }
    guard found.scheme == wanted.scheme, found.host == wanted.host, found.effectivePort == wanted.effectivePort,
      found.path == wanted.path || (found.path + wanted.path) == "/"
    else { return false }
    // What the client had there stays (RFC 6749 section 3.1.2).
    let pairs = FormFields.parse(found.query ?? "")
    return FormFields.parse(wanted.query ?? "").allSatisfy { own in pairs.contains { $0 == own } }
  }

  /// Without what is secret in it.
  public var description: String { "authorization request with the redirect \(redirectURI)" }
}
