import GarlandCrypto
import GarlandText

/// A request that claims to be signed by OAuth 1.0a, as defined in RFC 5849, section 3.
struct OAuth1Request {
  /// All parameters of the Authorization field, such as `oauth_nonce` and `realm`. The signature covers all of them except `realm` and the
  /// signature itself.
  private let parameters: [(name: String, value: String)]
  private let request: SandboxRequest

  /// The reason why a request is rejected: the status, and a description.
  struct Problem: Error {
    let status: Int
    let words: String

    init(_ words: String, status: Int = 401) {
      self.status = status
      self.words = words
    }
  }

  /// Reads the Authorization field (RFC 5849, section 3.5.1).
  init(_ request: SandboxRequest) throws(Problem) {
    self.request = request
    guard let field = request.headers.first("Authorization") else { throw Problem("the request is not signed") }
    guard field.count > 6, String(field.prefix(6)).equalsIgnoringCase("OAuth ") else {
      throw Problem("the Authorization field is of another scheme than OAuth")
    }
    var found: [(name: String, value: String)] = []
    for piece in field.dropFirst(6).split(separator: ",") {
      guard let equals = piece.firstIndex(of: "=") else { throw Problem("a parameter has no value", status: 400) }
      let value = piece[piece.index(after: equals)...].withoutBlanks
      guard value.count >= 2, value.first == "\"", value.last == "\"" else { throw Problem("a value is not quoted", status: 400) }
      let name = PercentEncoding.text(decoding: piece[..<equals].withoutBlanks)
      guard !found.contains(where: { $0.name == name }) else { throw Problem("\(name) is repeated", status: 400) }
      found.append((name, PercentEncoding.text(decoding: value.dropFirst().dropLast())))
    }
    parameters = found
  }

  subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// Checks the signature and the other parameters. This function does not check whether another request had the same nonce and timestamp.
  func check(now: Int) throws(Problem) {
    for name in ["oauth_consumer_key", "oauth_signature_method", "oauth_signature"] where self[name] == nil {
      throw Problem("\(name) is missing", status: 400)
    }
    if let version = self["oauth_version"], version != "1.0" { throw Problem("oauth_version is \(version), expected 1.0", status: 400) }
    guard self["oauth_consumer_key"] == OAuth1Client.consumerKey else { throw Problem("the consumer is not known") }
    guard self["oauth_token"] == OAuth1Client.token else { throw Problem("the token is not known") }
    if self["oauth_signature_method"] != "PLAINTEXT" {
      guard let nonce = self["oauth_nonce"], !nonce.isEmpty else { throw Problem("oauth_nonce is missing", status: 400) }
      guard let time = self["oauth_timestamp"].flatMap({ Int($0) }) else { throw Problem("oauth_timestamp is missing", status: 400) }
      guard (now - 300...now + 300).contains(time) else { throw Problem("the timestamp is more than 300 s off") }
    }
    guard try isSigned() else { throw Problem("the signature is wrong") }
  }

  private func isSigned() throws(Problem) -> Bool {
    let signature = self["oauth_signature"] ?? ""
    let secrets = "\(PercentEncoding.encode(OAuth1Client.consumerSecret))&\(PercentEncoding.encode(OAuth1Client.tokenSecret))"
    do {
      switch self["oauth_signature_method"] {
      case "PLAINTEXT"?: return constantTimeEqual(signature.utf8, secrets.utf8)
      case "HMAC-SHA1"?:
        return constantTimeEqual(
          signature.utf8, Base64.encode(try HMAC.authenticate(baseString.utf8, key: secrets.utf8, using: .sha1).bytes).utf8)
      case "HMAC-SHA256"?:
        return constantTimeEqual(
          signature.utf8, Base64.encode(try HMAC.authenticate(baseString.utf8, key: secrets.utf8, using: .sha256).bytes).utf8)
      case "RSA-SHA1"?:
        guard let bytes = try? Base64.decode(signature) else { return false }
        return try PublicKey(pem: OAuth1Client.key).isValid(bytes, for: Array(baseString.utf8), using: .rsaPKCS1(.sha1))
      case let method: throw Problem("the signature method \(method ?? "") is not offered", status: 400)
      }
    } catch let problem as Problem {
      throw problem
    } catch {
      return false
    }
  }

  /// The signature base string (RFC 5849, section 3.4.1).
  private var baseString: String {
    var all = parameters.filter { $0.name != "realm" && $0.name != "oauth_signature" } + request.query.pairs
    if let form = request.form { all += form.pairs }
    let pairs = all.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
    // Encoded text is ASCII, so it is sorted by its bytes.
    let sorted = pairs.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }
    let normalized = sorted.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    return [request.method.uppercased(), request.origin.lowercased() + request.path, normalized].map { PercentEncoding.encode($0) }
      .joined(separator: "&")
  }
}

/// The only OAuth 1 client (RFC 5849) that the sandbox accepts, with its keys, its only token and the user for whom the client acts.
enum OAuth1Client {
  static let consumerKey = "consumer"
  static let consumerSecret = "consumer-secret"
  static let token = "token"
  static let tokenSecret = "token-secret"
  static let user = "alice"

  /// The public key for RSA-SHA1. The private key is `examples/oauth/rsa_signer.pem`.
  static let key = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAlVWOxJ6fHngDrSBFS11A
    C/XBvtlJ7c4IXKgflUZVMUzTgwOdoLiSGfQO3KYHasuv5us0p4kWdj4yQC6yuFwZ
    yJSoJl8wuWZO7BdUBoSOEJx/OITF8kLdS1MfypgYIKSj91QMIRM1KjU0+BapBN7w
    9abtbP8GhOv0ezdouGgRcOBQD6ZD1GdgvqlGavLexdDhK/zCUxF0S57aTm9jmllj
    C2y+fJIiSUa/9XRxmoxM8mv+kHSice1Jj5+crmJUAAQp0bNRsHHwCZqwF5Rq66E/
    YxbNowSuNBaJQkXJGs3zlCfmXOv/Bjlv0my+TEjo43EkLML71LzKy8Gp303/XRAm
    vwIDAQAB
    -----END PUBLIC KEY-----
    """
}
