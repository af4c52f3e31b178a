/// The reason why a signed token is not accepted.
public enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not a valid signed token. The associated value is the reason.
  case malformed(String)
  /// The token's algorithm is unknown or not accepted.
  case algorithmNotAccepted(String)
  /// None of the trusted keys has the ID and the algorithm that the token requires.
  case noKey(keyID: String?, algorithm: String)
  /// The signature does not match the key.
  case wrongSignature
  /// The token lacks a claim that is required.
  case missing(claim: String)
  /// The value of a claim differs from the expected value.
  case wrong(claim: String, found: String, expected: String)
  /// The token expired `secondsAgo` seconds ago.
  case expired(secondsAgo: Int)
  /// The token is not valid yet; it becomes valid in `inSeconds` seconds.
  case notYetValid(inSeconds: Int)
  /// According to `iat`, the token was issued `bySeconds` seconds in the future.
  case issuedInFuture(bySeconds: Int)
  /// According to `iat`, the token was issued `seconds` seconds ago, but at most `allowed` seconds
  /// are allowed.
  case tooOld(seconds: Int, allowed: Int)
  /// A key could not be used to create or check the signature.
  case key(KeyError)

  /// The error message.
  public var description: String {
    switch self {
    case .malformed(let problem): "the signed token is not valid: \(problem)"
    case .algorithmNotAccepted(let name): "the token is signed with the algorithm \"\(name)\", which is not accepted"
    case .noKey(let keyID, let algorithm):
      keyID.map { "the token was signed by a key \"\($0)\" (\(algorithm)), which the issuer has not published" }
        ?? "the token is signed with \(algorithm), but the issuer has published no key for this algorithm"
    case .wrongSignature: "the signature of the token is wrong"
    case .missing(let claim): "the token has no claim \"\(claim)\""
    case .wrong(let claim, let found, let expected): "the token's claim \"\(claim)\" is \(found), expected \(expected)"
    case .expired(let seconds): "the token expired \(seconds) s ago"
    case .notYetValid(let seconds): "the token becomes valid only in \(seconds) s"
    case .issuedInFuture(let seconds): "the token was issued \(seconds) s in the future: the clocks differ"
    case .tooOld(let seconds, let allowed): "the token is \(seconds) s old, but at most \(allowed) s are allowed"
    case .key(let error): "\(error)"
    }
  }
}
