public import GarlandJSON

/// A provider's description of itself (RFC 8414 section 2, OpenID Connect Discovery section 3).
public struct ProviderMetadata: Sendable, Hashable {
  /// The provider's name.
  public let issuer: String
  /// The provider's endpoints.
  public let endpoints: OAuthConfiguration.Endpoints
  /// The endpoints for clients that authenticate by certificate, if they differ (RFC 8705 section
  /// 5).
  public let certificateEndpoints: OAuthConfiguration.Endpoints
  /// Whether the provider names itself in redirects (RFC 9207).
  public let namesItself: Bool
  /// The whole metadata.
  public let object: JSONObject

  /// Returns the revocation endpoint (RFC 7009) for a client that authenticates by certificate or
  /// otherwise; nil if the provider has none.
  func revocationEndpoint(byCertificate: Bool) -> String? {
    let alias = byCertificate ? object["mtls_endpoint_aliases"]?["revocation_endpoint"]?.stringValue : nil
    return alias ?? object["revocation_endpoint"]?.stringValue
  }

  /// Reads metadata. Their issuer must equal the requested one exactly (RFC 8414 section 3.3).
  init(_ object: JSONObject, issuer: String) throws(OAuthError) {
    guard let name = object["issuer"]?.stringValue else { throw .invalidResponse("it names no issuer", .discovery) }
    guard name == issuer else { throw .invalidResponse("it is that of the issuer \(PlainText.of(name)), expected \(issuer)", .discovery) }
    self.issuer = name
    self.object = object
    try Self.check(object, isSecure: issuer.hasPrefix("https://"))
    try Self.check(object["mtls_endpoint_aliases"]?.objectValue ?? [:], isSecure: issuer.hasPrefix("https://"))
    endpoints = Self.endpoints(object)
    certificateEndpoints = Self.endpoints(object["mtls_endpoint_aliases"]?.objectValue ?? [:])
    namesItself = object["authorization_response_iss_parameter_supported"]?.boolValue ?? false
  }

  /// Throws if an endpoint leaves TLS, or is not an HTTP URL, so that a provider cannot make this
  /// machine read a file.
  private static func check(_ object: JSONObject, isSecure: Bool) throws(OAuthError) {
    for (name, value) in object where name.hasSuffix("_endpoint") || name == "jwks_uri" {
      guard let url = value.stringValue, !url.hasPrefix("https://") else { continue }
      guard !isSecure else { throw .invalidResponse("its \(name) is \(PlainText.of(url)), and the issuer's own URL is https", .discovery) }
      guard url.hasPrefix("http://") else {
        throw .invalidResponse("its \(name) is \(PlainText.of(url)), which is no http URL", .discovery)
      }
    }
  }

  private static func endpoints(_ object: JSONObject) -> OAuthConfiguration.Endpoints {
    OAuthConfiguration.Endpoints(
      token: object["token_endpoint"]?.stringValue, authorization: object["authorization_endpoint"]?.stringValue,
      deviceAuthorization: object["device_authorization_endpoint"]?.stringValue, keys: object["jwks_uri"]?.stringValue)
  }

  /// Returns the locations of the metadata in order: OpenID Connect appends its path to the
  /// issuer's path, RFC 8414 puts its own before it.
  static func locations(of issuer: String) throws(OAuthError) -> [String] {
    let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    guard let scheme = base.firstRange(of: "://"), !base.contains("?"), !base.contains("#") else {
      throw .configuration("the issuer \(issuer) is no URL without query and fragment")
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
