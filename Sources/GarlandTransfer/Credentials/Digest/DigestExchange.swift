/// The exchange of one request with a server that requires digests: it decides about each 401.
///
/// A pure value, one for each hop of a request.
struct DigestExchange: Sendable {
  /// The meaning of a 401.
  enum Decision: Sendable, Hashable {
    /// The 401 is the response: the user or password is wrong, or the server requires another
    /// scheme.
    case deliver
    /// The request is sent again with an answer to this challenge.
    case answer(DigestChallenge)
    /// The server requires an unknown kind of digest, described here.
    case refuse(String)
  }

  /// The maximum number of answers to a server that calls every nonce stale.
  private static let maximumAnswers = 3

  /// The nonce of the answer sent with the request, if there was one.
  private var sentNonce: String?
  private var answers = 0

  /// Records that the request is sent with an answer for this nonce, or without one.
  mutating func send(nonce: String?) { sentNonce = nonce }

  mutating func receive(_ challenges: [AuthenticationChallenge]) -> Decision {
    var refusal: String?
    for challenge in challenges where challenge.isOf(scheme: "Digest") {
      do throws(DigestChallenge.Refusal) {
        // RFC 7616, section 3.7: the server's order is its preference.
        return decide(try DigestChallenge(challenge))
      } catch {
        refusal = refusal ?? error.detail
      }
    }
    return refusal.map { .refuse($0) } ?? .deliver
  }

  private mutating func decide(_ challenge: DigestChallenge) -> Decision {
    if let sentNonce {
      // An answer with a remembered nonce may be refused because the nonce is old, which not every
      // server says; an answer to a new challenge may not.
      let isOld = answers == 0 && challenge.nonce != sentNonce
      guard challenge.isStale || isOld, answers < Self.maximumAnswers else { return .deliver }
    } else if answers > 0 {
      return .deliver
    }
    answers += 1
    return .answer(challenge)
  }
}
