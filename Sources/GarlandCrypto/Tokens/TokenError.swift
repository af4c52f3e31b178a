/// Why a signed token is not accepted.
public enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is no token at all; what is wrong with it.
  case malformed(String)
  /// It names an algorithm that is not known, or that is not accepted here.
  case algorithmNotAccepted(String)
  /// It was signed with a key that is not among those that are trusted.
  case noKey(keyID: String?, algorithm: String)
  /// The signature is not that of the key.
  case wrongSignature
  /// It has no such claim.
  case missing(claim: String)
  /// A claim is there, and another was expected.
  case wrong(claim: String, found: String, expected: String)
  /// It expired this many seconds ago.
  case expired(secondsAgo: Int)
  /// It is valid only this many seconds from now.
  case notYetValid(inSeconds: Int)
  /// It claims to have been issued this many seconds from now.
  case issuedInFuture(bySeconds: Int)
  /// It was issued, or the user has logged in, too long ago.
  case tooOld(seconds: Int, allowed: Int)
  /// A key cannot be used.
  case key(KeyError)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .malformed(let problem): "this is no valid signed token: \(problem)"
    case .algorithmNotAccepted(let name): "the token is signed with the algorithm \"\(name)\", which is not accepted"
    case .noKey(let keyID, let algorithm):
      keyID.map { "the token was signed by a key \"\($0)\" (\(algorithm)), which the issuer has not published" }
        ?? "the issuer has published no key for \(algorithm), by which the token is signed"
    case .wrongSignature: "the signature of the token is wrong"
    case .missing(let claim): "the token has no claim \"\(claim)\""
    case .wrong(let claim, let found, let expected): "the token's claim \"\(claim)\" is \(found), expected \(expected)"
    case .expired(let seconds): "the token expired \(seconds) s ago"
    case .notYetValid(let seconds): "the token is not valid before \(seconds) s from now"
    case .issuedInFuture(let seconds): "the token was issued \(seconds) s in the future: the clocks differ"
    case .tooOld(let seconds, let allowed): "the token is \(seconds) s old, and \(allowed) s are allowed"
    case .key(let error): "\(error)"
    }
  }
}
