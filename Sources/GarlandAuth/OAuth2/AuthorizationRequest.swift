import GarlandCrypto
import GarlandText
import GarlandTransfer

/// A pending request for an authorization code. It contains the page that the user visits, and the values with which the provider's
/// redirect is checked.
///
/// ``TokenManager`` creates the request. An ``AuthorizationAgent`` opens ``url`` for the user and returns the redirect.
public struct AuthorizationRequest: Sendable, CustomStringConvertible {
  /// The page that the user must visit.
  public let url: String
  /// The URI to which the provider redirects the user at the end of the login. The ``AuthorizationAgent`` returns the URL of this redirect
  /// to its caller and does not request that URL.
  public let redirectURI: String
  let state: String
  let nonce: String?
  let proof: ProofKey
  let issuer: String?
  /// Whether the redirect must contain the issuer, since the provider's metadata promises it (RFC 9207).
  let requiresIssuer: Bool

  /// Creates a request with a new state, nonce and verifier.
  init(
    endpoint: String, redirectURI: String, _ configuration: OAuthConfiguration, requiresIssuer: Bool, isShown: Bool = false,
    _ environment: AuthEnvironment
  ) throws(OAuthError) {
    guard let clientID = configuration.clientID else { throw .configuration("an authorization code needs a client_id") }
    // Only http and https are allowed: a browser opens the URL, and could start another program for any other scheme.
    guard let base = try? URLReference(endpoint), base.scheme == "http" || base.scheme == "https", base.host != nil, base.fragment == nil
    else {
      throw .configuration("the authorization endpoint \(PlainText.of(endpoint)) is not an absolute http or https URL without a fragment")
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

  /// Returns the authorization codes in a redirect, even if the redirect belongs to the login of another program. The caller registers them
  /// as secrets before it checks the redirect, since an error message of the check may contain the redirect.
  static func secrets(of redirect: String) -> [String] {
    FormFields.parse((try? URLReference(redirect))?.query ?? "").filter { $0.name == "code" }.map(\.value)
  }

  /// Whether a redirect contains the state of this request. Only the provider and the user's browser know the state.
  func isOwn(_ redirect: String) -> Bool {
    FormFields.parse((try? URLReference(redirect))?.query ?? "").contains {
      $0.name == "state" && constantTimeEqual($0.value.utf8, state.utf8)
    }
  }

  /// Returns the authorization code in a redirect. Throws if the redirect contains an error or no code, or violates one of these
  /// conditions:
  ///
  /// - Its URL is the redirect URI of this request.
  /// - No parameter is repeated.
  /// - Its state is the state of this request.
  /// - If it contains an issuer, this is the issuer of this request. If the provider promises to send an issuer (RFC 9207), the redirect
  ///   must contain one.
  func code(from redirect: String) throws(OAuthError) -> String {
    guard isAnswer(redirect) else { throw .invalidCallback("it does not lead to \(redirectURI)") }
    var values: [String: String] = [:]
    for (name, value) in FormFields.parse((try? URLReference(redirect))?.query ?? "") where values.updateValue(value, forKey: name) != nil {
      throw .invalidCallback("\(PlainText.of(name)) is repeated")
    }
    // Check the state before any other value is trusted.
    guard let received = values["state"] else { throw .invalidCallback("it has no state") }
    guard constantTimeEqual(received.utf8, state.utf8) else {
      throw .invalidCallback("its `state` differs from the `state` that was sent, so the redirect may belong to the login of another user")
    }
    if let sender = values["iss"], let known = issuer, sender != known {
      throw .invalidCallback("it comes from the issuer \(PlainText.of(sender)), expected \(known)")
    }
    if requiresIssuer, values["iss"] == nil { throw .invalidCallback("it does not name its issuer") }
    if let error = values["error"] {
      throw .refused(
        OAuthRefusal(
          code: PlainText.of(error), details: values["error_description"].map(PlainText.of), page: values["error_uri"].map(PlainText.of)),
        .authorization)
    }
    guard let code = values["code"], !code.isEmpty else { throw .invalidCallback("it has neither a code nor an error") }
    return code
  }

  /// Whether a URL is this request's redirect URI. The provider may have added parameters to the query.
  public func isAnswer(_ url: String) -> Bool {
    guard let found = try? URLReference(url), let wanted = try? URLReference(redirectURI) else { return false }
    guard found.scheme == wanted.scheme, found.host == wanted.host, found.effectivePort == wanted.effectivePort,
      found.path == wanted.path || (found.path + wanted.path) == "/"
    else { return false }
    // The redirect URI's own query is kept (RFC 6749 section 3.1.2).
    let pairs = FormFields.parse(found.query ?? "")
    return FormFields.parse(wanted.query ?? "").allSatisfy { own in pairs.contains { $0 == own } }
  }

  /// A description of the request that contains no secrets.
  public var description: String { "authorization request with the redirect \(redirectURI)" }
}

/// Parses the names and values of a query (application/x-www-form-urlencoded).
enum FormFields {
  static func parse(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decode(parts[0]), parts.count > 1 ? decode(parts[1]) : "")
    }
  }

  private static func decode(_ text: Substring) -> String {
    PercentEncoding.text(decoding: text, plusIsSpace: true)
  }
}
