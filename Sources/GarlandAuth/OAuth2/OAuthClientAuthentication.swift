public import GarlandCrypto
import GarlandText
import GarlandTransfer

/// The method by which a client authenticates to the provider (RFC 6749 section 2.3, RFC 7523 section 2.2, RFC 8705).
public enum OAuthClientAuthentication: Sendable {
  /// No authentication: the client sends only its client ID.
  case none
  /// Client ID and secret in the `Authorization` field, each form-encoded as RFC 6749 requires.
  case basic(secret: String)
  /// The client sends its ID and its secret in the body.
  case post(secret: String)
  /// The client sends a JWT that it has signed with its secret.
  case secretJWT(secret: String, algorithm: SignatureAlgorithm)
  /// The client sends a JWT that it has signed with its private key.
  case privateKeyJWT(key: JSONWebKey, algorithm: SignatureAlgorithm)
  /// The client authenticates with the client certificate of the TLS connection. The values are the same as for
  /// `ClientCertificate.file(_:key:password:)`.
  case certificate(file: String, key: String?, password: String? = nil)

  /// Adds the authentication to a request. The audience of an assertion is always the token endpoint, even for requests to other endpoints.
  /// Providers identify themselves by the URL of the token endpoint (RFC 7523 section 3, RFC 8628 section 3.1).
  func apply(
    to request: inout OAuthFormRequest, clientID: String?, tokenEndpoint: String, _ environment: AuthEnvironment
  ) throws(OAuthError) {
    guard let clientID else {
      guard case .none = self else { throw .configuration("a client that authenticates needs a client_id") }
      return
    }
    switch self {
    case .none: request.fields.append(("client_id", clientID))
    case .basic(let secret):
      // The field contains the percent-encoded secret, so that form of the secret must be registered too.
      let encoded = PercentEncoding.encode(secret)
      if encoded != secret { environment.registerSecret(encoded) }
      request.basic = (clientID, secret)
    case .post(let secret): request.fields += [("client_id", clientID), ("client_secret", secret)]
    case .secretJWT(let secret, let algorithm):
      let key = JSONWebKey(.secret(Array(secret.utf8)))
      try addAssertion(
        SignedAssertion(issuer: clientID, subject: clientID, key: key, algorithm: algorithm), tokenEndpoint, to: &request, environment)
    case .privateKeyJWT(let key, let algorithm):
      try addAssertion(
        SignedAssertion(issuer: clientID, subject: clientID, key: key, algorithm: algorithm), tokenEndpoint, to: &request, environment)
    case .certificate(let file, let key, let password):
      request.fields.append(("client_id", clientID))
      request.certificate = .file(file, key: key, password: password)
    }
  }

  private func addAssertion(
    _ assertion: SignedAssertion, _ tokenEndpoint: String, to request: inout OAuthFormRequest, _ environment: AuthEnvironment
  ) throws(OAuthError) {
    request.fields += [
      ("client_id", assertion.issuer), ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
      ("client_assertion", try assertion.token(endpoint: tokenEndpoint, environment)),
    ]
  }
}
