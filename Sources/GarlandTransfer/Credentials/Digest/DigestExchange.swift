/// How one request gets past a server that wants digests: what was sent, what came back, what that means.
///
/// A pure value, one for each hop of a request.
struct DigestExchange: Sendable {
  /// What a 401 means.
  enum Decision: Sendable, Hashable {
    /// It is the response: the user or the password is not right, or the server wants something else.
    case deliver
    /// The request is sent again with an answer to this challenge.
    case answer(DigestChallenge)
    /// The server wants a digest of a kind that is not known. In words.
    case refuse(String)
  }

  /// A server that goes on finding nonces stale is not asked forever.
  private static let maximumAnswers = 3

  /// The nonce of the answer that went with the request, if one did.
  private var sentNonce: String?
  private var answers = 0

  /// The request leaves with an answer for this nonce, or without one.
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
      // An answer from the nonces kept may be refused because the nonce is old, which not every server says; one to a challenge of a moment ago may not.
      let isOld = answers == 0 && challenge.nonce != sentNonce
      guard challenge.isStale || isOld, answers < Self.maximumAnswers else { return .deliver }
    } else if answers > 0 {
      return .deliver
    }
    answers += 1
    return .answer(challenge)
  }
}
