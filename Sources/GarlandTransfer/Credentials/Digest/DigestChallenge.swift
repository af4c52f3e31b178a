import GarlandCrypto

/// A server's digest challenge (RFC 7616, section 3.3).
struct DigestChallenge: Sendable, Hashable {
  /// The quality of protection: the parts of the request that the digest covers.
  enum Quality: String, Sendable, Hashable {
    case auth
    /// The digest also covers the content of the request.
    case authInt = "auth-int"
  }

  let realm: String
  private(set) var nonce: String
  let opaque: String?
  let hash: DigestAlgorithm
  /// Whether the algorithm is a session variant. In this variant, the digest of user and password is computed only once, with the nonces of
  /// the first request, and is used for all later requests of the session.
  let isSession: Bool
  /// The algorithm's name as the server has written it; nil if the challenge names no algorithm.
  let algorithm: String?
  /// The quality of protection (`qop`), which determines the parts of the request that the digest covers. Nil for servers older than RFC
  /// 2617, which do not support this parameter.
  let quality: Quality?
  /// Whether the server refused the last answer to a challenge only because the nonce of the answer was too old.
  let isStale: Bool
  /// Whether the user name is sent as a digest (`userhash`), and not as plain text.
  let hashesUser: Bool
  /// Whether the server expects user names and passwords in UTF-8.
  let isUTF8: Bool
  /// The URLs of the protection space, as listed by the server and not yet parsed.
  let domain: [String]

  /// An error for a challenge that this library cannot answer.
  struct Refusal: Error {
    let detail: String
  }

  init(_ challenge: AuthenticationChallenge) throws(Refusal) {
    guard let nonce = challenge["nonce"] else { throw Refusal(detail: "a Digest challenge without a nonce") }
    self.nonce = nonce
    realm = challenge["realm"] ?? ""
    opaque = challenge["opaque"]
    algorithm = challenge["algorithm"]
    var name = (algorithm ?? "MD5").lowercased()
    isSession = name.hasSuffix("-sess")
    if isSession { name.removeLast(5) }
    switch name {
    case "md5": hash = .md5
    case "sha-256": hash = .sha256
    case "sha-512-256": hash = .sha512_256
    default: throw Refusal(detail: "Digest with the algorithm \((algorithm ?? "").prefix(40))")
    }
    if let list = challenge["qop"] {
      let offered = list.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
      if offered.contains("auth") {
        quality = .auth
      } else if offered.contains("auth-int") {
        quality = .authInt
      } else {
        throw Refusal(detail: "Digest with the quality of protection \"\(list.prefix(40))\"")
      }
    } else {
      quality = nil
    }
    isStale = challenge["stale"]?.lowercased() == "true"
    hashesUser = challenge["userhash"]?.lowercased() == "true"
    isUTF8 = challenge["charset"]?.lowercased() == "utf-8"
    domain = challenge["domain"]?.split(separator: " ").map(String.init) ?? []
  }

  /// Returns a copy of this challenge with the given nonce.
  func with(nonce: String) -> DigestChallenge {
    var copy = self
    copy.nonce = nonce
    return copy
  }
}
