import GarlandCrypto
import GarlandText

/// Authenticates clients at the token endpoint, and at endpoints that use the same client authentication as the token endpoint.
enum ClientAuthentication {
  static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  /// Returns the client of a request; nil if the request does not identify a client. Throws an error if the authentication is invalid or
  /// uses more than one method (RFC 6749, section 2.3).
  static func client(
    of request: SandboxRequest, _ form: FormPairs, _ tenant: inout TenantState
  ) throws(OAuthError) -> OAuthClient? {
    if form["client_assertion"] != nil || form["client_assertion_type"] != nil {
      guard !request.headers.contains("Authorization"), form["client_secret"] == nil else {
        throw OAuthError("invalid_request", "the client authenticates in two ways")
      }
      return try byAssertion(request, form, &tenant)
    }
    var id = form["client_id"]
    var secret = form["client_secret"]
    var method: OAuthClient.Authentication = secret == nil ? .none : .post
    if request.headers.contains("Authorization") {
      guard let (user, password) = AuthRoutes.basicCredentials(request) else {
        throw OAuthError("invalid_client", "the Authorization field is not valid", challenge: "Basic")
      }
      guard secret == nil else { throw OAuthError("invalid_request", "the client authenticates in two ways") }
      // The name and the secret were form-encoded before they were joined.
      let name = PercentEncoding.text(decoding: user, plusIsSpace: true)
      guard id == nil || id == name else {
        throw OAuthError("invalid_request", "client_id is another than that of the Authorization field")
      }
      id = name
      secret = PercentEncoding.text(decoding: password, plusIsSpace: true)
      method = .basic
    }
    let challenge = method == .basic ? "Basic" : nil
    guard let id else {
      guard secret == nil else { throw OAuthError("invalid_client", "client_id is needed with a secret") }
      return nil
    }
    guard let client = OAuthClient.named(id) else {
      throw OAuthError("invalid_client", "the client \(id) is not known", challenge: challenge)
    }
    if method == .none, client.certificate != nil {
      try check(request, isOf: client)
      return client
    }
    guard client.authentication.contains(method) else {
      let wanted = client.authentication.map(\.rawValue).joined(separator: " or ")
      throw OAuthError("invalid_client", "the client \(id) authenticates by \(wanted), not by \(method.rawValue)", challenge: challenge)
    }
    guard constantTimeEqual((client.secret ?? "").utf8, (secret ?? "").utf8) else {
      throw OAuthError("invalid_client", "the secret of the client \(id) is wrong", challenge: challenge)
    }
    return client
  }

  /// Checks the client's certificate (RFC 8705, section 2.2). A TLS proxy in front of this server forwards the certificate in a header
  /// field (RFC 9440, section 2.1).
  private static func check(_ request: SandboxRequest, isOf client: OAuthClient) throws(OAuthError) {
    guard let field = request.headers.first("Client-Cert") else {
      throw OAuthError("invalid_client", "the client \(client.id) has shown no certificate")
    }
    let text = field.hasPrefix(":") && field.hasSuffix(":") && field.utf8.count > 2 ? String(field.dropFirst().dropLast()) : ""
    let digest: String?
    do {
      digest = try Digest(of: Base64.decode(text), using: .sha256).hex
    } catch {
      digest = nil
    }
    guard let digest, digest == client.certificate else {
      throw OAuthError("invalid_client", "the certificate is not that of the client \(client.id)")
    }
  }

  /// Authenticates a client by a JWT assertion (RFC 7523, section 2.2).
  private static func byAssertion(
    _ request: SandboxRequest, _ form: FormPairs, _ tenant: inout TenantState
  ) throws(OAuthError) -> OAuthClient {
    guard form["client_assertion_type"] == assertionType, let text = form["client_assertion"] else {
      throw OAuthError("invalid_client", "client_assertion goes with client_assertion_type \(assertionType)")
    }
    let token: JSONWebToken
    do throws(TokenError) {
      token = try JSONWebToken(text)
    } catch {
      throw OAuthError("invalid_client", "client_assertion: \(error)")
    }
    guard let id = token.issuer, let client = OAuthClient.named(id), token.subject == id, form["client_id"] ?? id == id else {
      throw OAuthError("invalid_client", "iss and sub of client_assertion have to be the client's id")
    }
    let key: JSONWebKey
    if client.authentication.contains(.privateKeyJWT), let pem = client.key, let open = try? PublicKey(pem: pem) {
      key = JSONWebKey(.publicKey(open))
    } else if client.authentication.contains(.secretJWT), let secret = client.secret {
      key = JSONWebKey(.secret(Array(secret.utf8)))
    } else {
      let wanted = client.authentication.map(\.rawValue).joined(separator: " or ")
      throw OAuthError("invalid_client", "the client \(id) authenticates by \(wanted), not by client_assertion")
    }
    if let problem = AssertionCheck(request, tenant).problem(with: token, key: key, &tenant) {
      throw OAuthError("invalid_client", "client_assertion: \(problem)")
    }
    return client
  }
}
