import GarlandCrypto
import GarlandText

/// The answer to a digest challenge (RFC 7616, section 3.4). The same input yields the same answer.
struct DigestAnswer {
  let challenge: DigestChallenge
  let user: String
  let password: String
  let method: String
  /// The request's target: path and query.
  let uri: String
  /// The number of requests sent with the nonce, including the current request.
  let count: UInt32
  let clientNonce: String
  /// The client nonce of the first request that used the server's nonce. Only the session variants of the algorithm, such as `MD5-sess`,
  /// need this client nonce.
  let sessionNonce: String
  /// The content's digest in hexadecimal; needed only if the quality of protection covers the content.
  let contentDigest: String

  /// Returns the value of the `Authorization` field.
  func authorization() throws(CryptoError) -> String {
    let secret = try secret()
    var target = "\(method):\(uri)"
    if challenge.quality == .authInt { target += ":" + contentDigest }
    let targetDigest = try digest(target)
    let number = Hex.padded(count)
    let response: String
    if let quality = challenge.quality {
      response = try digest("\(secret):\(challenge.nonce):\(number):\(clientNonce):\(quality.rawValue):\(targetDigest)")
    } else {
      response = try digest("\(secret):\(challenge.nonce):\(targetDigest)")
    }

    var value = "Digest "
    if challenge.hashesUser {
      value += "username=\"\(try digest("\(user):\(challenge.realm)"))\""
    } else if challenge.isUTF8, !user.utf8.allSatisfy({ $0 < 0x80 }) {
      value += "username*=UTF-8''\(PercentEncoding.encode(user))"
    } else {
      value += "username=\(Self.quoted(user))"
    }
    value += ", realm=\(Self.quoted(challenge.realm)), nonce=\(Self.quoted(challenge.nonce)), uri=\(Self.quoted(uri))"
    value += ", response=\"\(response)\""
    if let algorithm = challenge.algorithm { value += ", algorithm=\(algorithm)" }
    if let opaque = challenge.opaque { value += ", opaque=\(Self.quoted(opaque))" }
    if let quality = challenge.quality { value += ", qop=\(quality.rawValue), nc=\(number)" }
    // Without the client nonce, the server could not compute the session's secret.
    if challenge.quality != nil || challenge.isSession { value += ", cnonce=\"\(clientNonce)\"" }
    if challenge.hashesUser { value += ", userhash=true" }
    return value
  }

  /// Returns the digest of user, realm and password, called H(A1) in RFC 7616.
  private func secret() throws(CryptoError) -> String {
    let own = try digest("\(user):\(challenge.realm):\(password)")
    return challenge.isSession ? try digest("\(own):\(challenge.nonce):\(sessionNonce)") : own
  }

  private func digest(_ text: String) throws(CryptoError) -> String { try Digest(of: text.utf8, using: challenge.hash).hex }

  /// Returns a quoted string (RFC 9110, section 5.6.4). Characters that are invalid in every header were
  /// refused earlier.
  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }) else { return "\"\(text)\"" }
    var result = "\""
    for scalar in text.unicodeScalars where scalar.value >= 0x20 {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
