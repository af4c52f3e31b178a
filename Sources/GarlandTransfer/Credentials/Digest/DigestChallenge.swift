import GarlandCrypto

/// What a server wants of a digest (RFC 7616, section 3.3).
struct DigestChallenge: Sendable, Hashable {
  /// What is protected by the answer.
  enum Quality: String, Sendable, Hashable {
    case auth
    /// The content as well.
    case authInt = "auth-int"
  }

  let realm: String
  private(set) var nonce: String
  let opaque: String?
  let hash: DigestAlgorithm
  /// Whether the user's digest is made once, with the first nonces.
  let isSession: Bool
  /// As the server wrote it; nil if it wrote none.
  let algorithm: String?
  /// Nil for servers from before RFC 2617, which know of none.
  let quality: Quality?
  /// That the answer was right but for its nonce.
  let isStale: Bool
  /// Whether the user's name is sent as a digest.
  let hashesUser: Bool
  /// Whether names and passwords are in UTF-8.
  let isUTF8: Bool
  /// Where the answer is good for, as written.
  let domain: [String]

  /// What this library can't answer, in words.
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

  /// The same with another nonce.
  func with(nonce: String) -> DigestChallenge {
    var copy = self
    copy.nonce = nonce
    return copy
  }
}
