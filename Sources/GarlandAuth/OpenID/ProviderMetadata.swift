public import GarlandJSON

/// A provider's description of itself (RFC 8414 section 2, OpenID Connect Discovery section 3).
public struct ProviderMetadata: Sendable, Hashable {
  /// The issuer identifier of the provider.
  public let issuer: String
  /// The URLs of the provider's endpoints.
  public let endpoints: OAuthConfiguration.Endpoints
  /// The endpoints for clients that authenticate by certificate (RFC 8705 section 5). An endpoint is nil if the metadata contains no
  /// separate URL for such clients.
  public let certificateEndpoints: OAuthConfiguration.Endpoints
  /// Whether the provider's redirects contain its issuer (RFC 9207).
  public let namesItself: Bool
  /// The whole metadata as JSON.
  public let object: JSONObject

  /// Returns the revocation endpoint (RFC 7009); nil if the provider has none. `byCertificate` selects the
  /// endpoint for clients that authenticate by certificate.
  func revocationEndpoint(byCertificate: Bool) -> String? {
    let alias = byCertificate ? object["mtls_endpoint_aliases"]?["revocation_endpoint"]?.stringValue : nil
    return alias ?? object["revocation_endpoint"]?.stringValue
  }

  /// Parses metadata. Throws if the issuer in the metadata is not exactly equal to `issuer` (RFC 8414 section 3.3).
  init(_ object: JSONObject, issuer: String) throws(OAuthError) {
    guard let name = object["issuer"]?.stringValue else { throw .invalidResponse("it names no issuer", .discovery) }
    guard name == issuer else { throw .invalidResponse("its issuer is \(PlainText.of(name)), expected \(issuer)", .discovery) }
    self.issuer = name
    self.object = object
    try Self.check(object, isSecure: issuer.hasPrefix("https://"))
    try Self.check(object["mtls_endpoint_aliases"]?.objectValue ?? [:], isSecure: issuer.hasPrefix("https://"))
    endpoints = Self.endpoints(object)
    certificateEndpoints = Self.endpoints(object["mtls_endpoint_aliases"]?.objectValue ?? [:])
    namesItself = object["authorization_response_iss_parameter_supported"]?.boolValue ?? false
  }

  /// Throws if an endpoint is not an HTTP URL: a URL with another scheme, such as `file`, could make this machine read a file. Also throws
  /// if the issuer uses TLS and an endpoint does not.
  private static func check(_ object: JSONObject, isSecure: Bool) throws(OAuthError) {
    for (name, value) in object where name.hasSuffix("_endpoint") || name == "jwks_uri" {
      guard let url = value.stringValue, !url.hasPrefix("https://") else { continue }
      guard !isSecure else { throw .invalidResponse("its \(name) is \(PlainText.of(url)), but the URL of the issuer is https", .discovery) }
      guard url.hasPrefix("http://") else {
        throw .invalidResponse("its \(name) is \(PlainText.of(url)), which is not an http URL", .discovery)
      }
    }
  }

  private static func endpoints(_ object: JSONObject) -> OAuthConfiguration.Endpoints {
    OAuthConfiguration.Endpoints(
      token: object["token_endpoint"]?.stringValue, authorization: object["authorization_endpoint"]?.stringValue,
      deviceAuthorization: object["device_authorization_endpoint"]?.stringValue, keys: object["jwks_uri"]?.stringValue)
  }

  /// Returns the possible URLs of the metadata, in order. OpenID Connect appends its well-known path to the issuer's path; RFC
  /// 8414 inserts its well-known path before the issuer's path.
  static func locations(of issuer: String) throws(OAuthError) -> [String] {
    let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    guard let scheme = base.firstRange(of: "://"), !base.contains("?"), !base.contains("#") else {
      throw .configuration("the issuer \(issuer) must be a URL without query and fragment")
    }
    let rest = base[scheme.upperBound...]
    let host = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(host.count)
    return [
      "\(base)/.well-known/openid-configuration",
      "\(base[..<scheme.upperBound])\(host)/.well-known/oauth-authorization-server\(path)",
    ]
  }
}
