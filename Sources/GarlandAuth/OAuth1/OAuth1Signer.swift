public import GarlandCrypto
import GarlandText
import GarlandTransfer

/// Signs requests with OAuth 1.0a (RFC 5849).
///
/// ```swift
/// let signer = OAuth1Signer(consumerKey: "dpf43f3p2l4k3l03", consumerSecret: secret, token: "nnch734d00sl2jdk", tokenSecret: tokenSecret)
/// let field = try signer.authorization(method: "GET", url: url, form: [], timestamp: 137131202, nonce: "chapoH")
/// ```
public struct OAuth1Signer: Sendable {
  /// The client's ID, which OAuth 1 calls the consumer key.
  public var consumerKey: String
  /// The client's secret. RSA signatures do not use it.
  public var consumerSecret: String
  /// The user's token; nil before the provider has issued a token.
  public var token: String?
  /// The secret that belongs to the user's token.
  public var tokenSecret: String
  /// The method by which requests are signed.
  public var method: OAuth1Method
  /// The realm, which names the protection space. It is sent but not signed.
  public var realm: String?
  /// Further protocol parameters, such as `oauth_callback` and `oauth_verifier`.
  public var parameters: [(name: String, value: String)] = []

  /// Whether `oauth_version` is sent. The RFC makes it optional, and some providers require it.
  /// Defaults to true.
  public var sendsVersion = true

  /// Creates a signer. The default method is HMAC-SHA1, which most providers expect.
  public init(
    consumerKey: String, consumerSecret: String, token: String? = nil, tokenSecret: String = "", method: OAuth1Method = .hmacSHA1,
    realm: String? = nil
  ) {
    self.consumerKey = consumerKey
    self.consumerSecret = consumerSecret
    self.token = token
    self.tokenSecret = tokenSecret
    self.method = method
    self.realm = realm
  }

  /// Returns the value of the Authorization field.
  ///
  /// - Parameters:
  ///   - verb: The method of the request.
  ///   - url: The URL of the request.
  ///   - form: The decoded fields of a body of type `application/x-www-form-urlencoded`; no other
  ///     body is signed.
  ///   - timestamp: Seconds since 1970.
  ///   - nonce: A text that was not used with this timestamp before.
  public func authorization(
    method verb: String, url: String, form: [(name: String, value: String)], timestamp: Int, nonce: String
  ) throws(OAuthError) -> String {
    var fields = [("oauth_consumer_key", consumerKey)]
    if let token { fields.append(("oauth_token", token)) }
    fields.append(("oauth_signature_method", method.name))
    if case .plaintext = method {} else { fields += [("oauth_timestamp", "\(timestamp)"), ("oauth_nonce", nonce)] }
    if sendsVersion { fields.append(("oauth_version", "1.0")) }
    fields += parameters.map { ($0.name, $0.value) }
    let base = try Self.baseString(method: verb, url: url, parameters: fields + form.map { ($0.name, $0.value) })
    fields.append(("oauth_signature", try signature(of: base)))
    var pieces = fields.map { "\(PercentEncoding.encode($0))=\"\(PercentEncoding.encode($1))\"" }
    // The realm is a quoted string (RFC 9110 section 5.6.4): a quote in it would end the string, and a line break would end the field.
    if let realm {
      guard realm.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .configuration("the realm has a control character") }
      let quoted = realm.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      pieces.insert("realm=\"\(quoted)\"", at: 0)
    }
    return "OAuth \(pieces.joined(separator: ", "))"
  }

  /// Returns the text to sign (RFC 5849 section 3.4.1): the method, the URL without its query, and all parameters, including the query's
  /// parameters.
  static func baseString(method: String, url: String, parameters: [(String, String)]) throws(OAuthError) -> String {
    guard let reference = try? URLReference(url), let scheme = reference.scheme, let host = reference.host else {
      throw .configuration("OAuth 1 signs absolute URLs only")
    }
    let isDefault = reference.port == nil || (scheme == "http" && reference.port == 80) || (scheme == "https" && reference.port == 443)
    let port = isDefault ? "" : ":\(reference.port.map { "\($0)" } ?? "")"
    let base = "\(scheme)://\(host)\(port)\(reference.path.isEmpty ? "/" : reference.path)"
    let all = parameters + FormFields.parse(reference.query ?? "").map { ($0.name, $0.value) }
    let encoded = all.map { (PercentEncoding.encode($0), PercentEncoding.encode($1)) }.sorted { left, right in
      left.0 == right.0
        ? Array(left.1.utf8).lexicographicallyPrecedes(Array(right.1.utf8))
        : Array(left.0.utf8).lexicographicallyPrecedes(Array(right.0.utf8))
    }
    let normalized = encoded.map { "\($0)=\($1)" }.joined(separator: "&")
    return "\(PercentEncoding.encode(method.uppercased()))&\(PercentEncoding.encode(base))&\(PercentEncoding.encode(normalized))"
  }

  private func signature(of base: String) throws(OAuthError) -> String {
    let secrets = "\(PercentEncoding.encode(consumerSecret))&\(PercentEncoding.encode(tokenSecret))"
    do {
      switch method {
      case .hmacSHA1: return Base64.encode(try HMAC.authenticate(base.utf8, key: secrets.utf8, using: .sha1).bytes)
      case .hmacSHA256: return Base64.encode(try HMAC.authenticate(base.utf8, key: secrets.utf8, using: .sha256).bytes)
      case .rsaSHA1(let key): return Base64.encode(try key.signature(of: Array(base.utf8), using: .rsaPKCS1(.sha1)))
      case .plaintext: return secrets
      }
    } catch {
      throw .key("\(error)")
    }
  }
}

/// The signature method (RFC 5849 section 3.4).
public enum OAuth1Method: Sendable {
  /// HMAC with SHA-1. The key consists of the client's secret and the token's secret.
  case hmacSHA1
  /// HMAC with SHA-256. The key consists of the client's secret and the token's secret.
  case hmacSHA256
  /// RSA with SHA-1 and the client's private key.
  case rsaSHA1(PrivateKey)
  /// The client's secret and the token's secret in plain text. Use this method only over TLS.
  case plaintext

  /// The name of the signature method in the parameter `oauth_signature_method`, such as `HMAC-SHA1`.
  public var name: String {
    switch self {
    case .hmacSHA1: "HMAC-SHA1"
    case .hmacSHA256: "HMAC-SHA256"
    case .rsaSHA1: "RSA-SHA1"
    case .plaintext: "PLAINTEXT"
    }
  }
}
